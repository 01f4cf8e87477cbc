// When something happens to a path. The clock may have been set back since its newest message: use that was reported before a pass must not look as if it
// came after it (L7), and an undo rests on what was there (L19).
import type { Standpoint } from '../answering';

export function timeOn({ built }: Pick<Standpoint, 'built'>, now: number): number {
  return built.reduce((latest, { createdAt }) => Math.max(latest, createdAt), now);
}
