// Why something the user chose cannot be opened at all.
import type { FileProblem } from '../../shared/model/importReport';

export class SourceProblem extends Error {
  readonly problem: FileProblem;
  constructor(problem: FileProblem, detail: string, options?: { cause?: unknown }) {
    super(detail, options);
    this.name = 'SourceProblem';
    this.problem = problem;
  }
}
