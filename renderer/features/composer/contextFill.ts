// When the context ring warns.
import type { ContextView } from '../../../shared/model/contextView';

/** From this share of the window on the ring turns amber. */
const nearShare = 0.85;

export type Fill = 'calm' | 'near' | 'over';
export function fillOf({ tokens, window }: Pick<ContextView, 'tokens' | 'window'>): Fill {
  if (window === null || tokens < window * nearShare) return 'calm';
  return tokens > window ? 'over' : 'near';
}
