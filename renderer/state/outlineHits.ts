// Turns that were found in the open conversation, by their runs, and those at which agents' memory is anchored.
import type { OutlineHits, OutlineTurn } from '../../shared/model/outline';
import { showFailure } from './appSlice';
import { client } from './client';
import { talkState } from './talkStore';

export type Hits = ReadonlyMap<number, readonly OutlineTurn[]>;

/** Null when they cannot be read, which is said. */
export async function rememberedTurns(): Promise<OutlineHits | null> {
  const { conversationId } = talkState();
  if (!conversationId) return [];
  try {
    return await client().outline.remembered({ conversationId });
  } catch (error) {
    showFailure(error);
    return null;
  }
}

export function byRun(found: OutlineHits): Hits {
  const hits = new Map<number, OutlineTurn[]>();
  for (const { run, turn } of found) hits.set(run, [...(hits.get(run) ?? []), turn]);
  return hits;
}
