// How the scripts talk to a person: one prefix, plain sentences, and a problem type whose message is all that is shown.

/** A condition the person can mend; its message is printed alone, without a stack. */
export class SetupProblem extends Error {}

/** @param {string} text */
export function say(text) {
  console.log(`[bough] ${text}`);
}

/** Prints an error as its reader needs it: a known condition plainly, a bug with its stack. @param {unknown} error */
export function explain(error) {
  if (error instanceof SetupProblem) console.error(`[bough] ${error.message}`);
  else console.error(error);
}
