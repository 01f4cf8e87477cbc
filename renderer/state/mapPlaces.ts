// Where each conversation's map was left in this run: its zoom and what stood in its corner, so that another tab or view loses neither.
import type { ConversationId } from '../../shared/model/ids';

/** `tip`: the node that had the tip; with another one the place says nothing any more. */
export type MapPlace = { zoom: number; column: number; row: number; tip: string | undefined };

/** The newest are kept. */
const limit = 200;
const places = new Map<ConversationId, MapPlace>();

export const mapPlaceOf = (id: ConversationId | null): MapPlace | undefined => (id ? places.get(id) : undefined);

export function keepMapPlace(id: ConversationId | null, place: MapPlace): void {
  if (!id) return;
  places.delete(id);
  places.set(id, place);
  const [oldest] = places.keys();
  if (places.size > limit && oldest !== undefined) places.delete(oldest);
}

export function forgetMapPlaces(): void {
  places.clear();
}
