// Which memories a reader can be shown (S10): a card always; pages only where it is known to see, they were made for its family
// and its server takes so many images. Pure.
import type { BlobHash } from '../../shared/model/ids';
import type { Suits } from '../../shared/model/memoryRecord';
import type { ModelInfo } from '../../shared/model/provider';
import { shapeFor } from './snapshot/shapes';

type Reader = Pick<ModelInfo, 'id' | 'vision' | 'imageRule' | 'maxImages' | 'unreadPages'>;

/** Images that must have room beside pages: the newest ones, which no rung leaves out (L3). */
const roomBeside = 3;

/** Pages that a model may be sent where its server takes only so many images. */
export function mostPagesFor({ maxImages }: Pick<ModelInfo, 'maxImages'>): number {
  return maxImages === undefined ? Number.POSITIVE_INFINITY : Math.max(0, maxImages - roomBeside);
}

/** The family whose pages a model reads; null where it is not known to see, or pages would cost it more than their text. */
export function familyOf({ id, vision, imageRule }: Reader): string | null {
  return vision === true ? (shapeFor({ modelId: id, imageRule })?.name ?? null) : null;
}

/**
 * `missing`: blobs that are gone. Pages that its server could not read are shown again only with others. What has pages is pages, whatever it says it
 * is: a file may come from a stranger.
 */
export function suitsReader(model: Reader, missing: ReadonlySet<BlobHash> = new Set()): Suits {
  const shape = model.vision === true ? shapeFor({ modelId: model.id, imageRule: model.imageRule }) : null;
  const most = Math.min(mostPagesFor(model), shape?.pages ?? 0);
  return ({ kind, body }) => {
    const pages = body?.pages ?? [];
    if (kind !== 'pages' && pages.length === 0) return true;
    if (pages.length > 0 && pages.every(({ hash }) => model.unreadPages?.has(hash))) return false;
    return shape !== null && body?.frame?.family === shape.name && pages.length <= most && pages.every(({ hash }) => !missing.has(hash));
  };
}
