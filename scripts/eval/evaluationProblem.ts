// What keeps an evaluation from running and the person can mend; the message says how.
export class EvaluationProblem extends Error {}
