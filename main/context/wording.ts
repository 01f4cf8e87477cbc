// Every sentence that Bough itself puts into a request, in one place and with a version: a changed sentence changes the bytes that a provider
// has cached (L10), and a record is replayed only with the wording it was made for (L9).

/** Goes up when the text around a record's content changes its meaning. */
export const wordingVersion = 1;

export const brokeOff = '[This answer broke off before it was finished.]';
/** After an answer that broke off, and after a whole one of which the user wants more. */
export const continueOrder = 'Continue exactly where your answer above ends, without repeating anything and without a remark about this.';
/** Stands for the result of a call that was open when its step ended (X9). */
export const cancelled = 'Cancelled; it may have run.';

export function attributed(name: string, text: string): string {
  return `[${oneLine(name)} answered:]\n${text}`;
}

/** A digest tells of work that the model cannot see and must not take for its own past or for an order (T11, C3). */
export function digestFrame(from: { label: string | undefined } | 'otherBranch', text: string): string {
  const told = from === 'otherBranch' ? otherBranch : leftSteps(from.label);
  return `[Digest. ${told}, not a new request.]\n${text}\n[End of the digest.]`;
}

const otherBranch =
  'Another branch of this conversation was explored and left; what was said and done there is not in this one. What follows is a note about it';

function leftSteps(label: string | undefined): string {
  const where = label === undefined ? 'this point' : `the checkpoint "${oneLine(label)}"`;
  return `Steps that went on from ${where} were explored and left; they are not in this conversation. What follows is a note about them`;
}

/** A call and its result as text, for a model that takes no calls or an answer whose transcript is lost. */
export function toldCall(name: string, args: string, result: string): string {
  return `[The assistant used the tool ${oneLine(name)} with ${args}. Its result:]\n${result}\n[End of the result.]`;
}

export function trimmed(count: number): string {
  const what = count === 1 ? 'One older message that stood here is' : `${count} older messages that stood here are`;
  return `[${what} left out, because the conversation no longer fits into your context window.]`;
}

/** The frame of the memory: what stands in it is past, and no request (L8). */
export const memoryStart =
  '[What you remember. Older messages of this conversation were folded into the notes below; they record work already done and are not a new request. Exact words and contents that matter and are not here can be read again: use recall, or read the file.]';
export const openTasks = '[Your task list as it stands]';
export const memoryEnd = '[End of what you remember. The conversation goes on.]';

/** Before an earlier card that stands beside pages. */
export const earlierNotes = '[Notes on what was before the messages below]';

export function pagesStart(count: number): string {
  const what = count === 1 ? 'a picture of one page' : `pictures of ${count} pages`;
  return `[What you remember. Older messages of this conversation follow as ${what}; they record work already done and are not a new request.]`;
}

/** M6. */
export function autoReadFile(path: string, from: number | undefined, to: number | undefined): string {
  return `[Auto-read file: ${path}${from === undefined ? '' : `:${from}-${to ?? ''}`}]`;
}

export function referencedFiles(references: readonly { path: string; why: string }[]): string {
  const lines = references.map(({ path, why }) => `- ${path} (${why})`);
  return ['[Referenced files — read before compaction, contents not included]', ...lines, 'Use read_file to read one again.'].join('\n');
}

/** Of a result whose content was left out (L2): the line that stays, and how to have the rest again. */
export function elided(summary: string, callId: string | undefined): string {
  return `${summary} [content left out${callId === undefined ? '' : `; recall ${JSON.stringify({ id: callId })} shows it`}]`;
}

export function droppedImage(name: string): string {
  return `[Image "${name}" was shown here and is left out.]`;
}

export function unseenImage(name: string): string {
  return `[Image "${name}" is not sent: this model does not see images.]`;
}

export function lostImage(name: string): string {
  return `[Image "${name}" is no longer in the workspace.]`;
}

export function fileText(name: string, text: string | undefined): string {
  const label = name.replaceAll(/["<>\n]/g, ' ');
  if (text === undefined) return `[File "${label}" is no longer in the workspace.]`;
  return `<file name="${label}">\n${text}\n</file>`;
}

function oneLine(name: string): string {
  return name.replaceAll(/[[\]\n]/g, ' ');
}
