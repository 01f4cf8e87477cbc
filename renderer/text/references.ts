// Which link and footnote definitions a block leans on, so that a definition that arrives late redraws that block only.
import type { Links } from 'marked';

/** Empty when nothing is used; else changes exactly when a definition that the block uses changes. */
export function usedReferences(raw: string, links: Links): string {
  let used = '';
  if (!raw.includes('[')) return used;
  for (const _ in links) {
    for (const hit of raw.matchAll(/\[([^[\]]{1,300})\]/g)) {
      const tag = (hit[1] ?? '').toLowerCase().replace(/\s+/g, ' ');
      const link = links[tag];
      if (link) used += `${tag}\u0001${link.href}\u0001${link.title ?? ''}\u0002`;
    }
    break;
  }
  return used;
}
