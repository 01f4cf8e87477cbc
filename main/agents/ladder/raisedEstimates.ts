// What refusals taught about the estimate (L16): a request that was refused is at least as large as the refusal says, until a reported use says better.
import type { Weight } from '../../context/ladder/weigh';
import type { Standpoint } from '../answering';

/** A count beyond that is of something else. */
const most = 4;

export class RaisedEstimates {
  readonly #ratios = new Map<string, { ratio: number; at: number }>();

  raise({ agent }: Standpoint, tokens: number, { estimate }: Weight, now: number): void {
    const ratio = Math.min(most, Math.max(1, tokens / Math.max(1, estimate)));
    this.#ratios.set(agent.model ?? '', { ratio, at: now });
  }

  /** At least 1. */
  of({ agent, built }: Standpoint): number {
    const raised = this.#ratios.get(agent.model ?? '');
    if (!raised) return 1;
    return built.some(({ reported, createdAt }) => reported !== undefined && createdAt > raised.at) ? 1 : raised.ratio;
  }
}
