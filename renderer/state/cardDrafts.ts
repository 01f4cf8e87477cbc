// Cards that are being changed by hand, by conversation and agent: a text that was not saved outlives its tab, its conversation and a new pass.
import { create } from 'zustand';
import type { AgentId, ConversationId, RecordId } from '../../shared/model/ids';

type Place = { conversationId: ConversationId; agentId: AgentId };
/** `recordId`: the memory that it was begun over. */
export type CardDraft = { recordId: RecordId; text: string };

const useDrafts = create<{ drafts: ReadonlyMap<string, CardDraft> }>(() => ({ drafts: new Map() }));
const keyOf = ({ conversationId, agentId }: Place) => `${conversationId} ${agentId}`;

export const useCardDraft = (place: Place): CardDraft | null => useDrafts(({ drafts }) => drafts.get(keyOf(place)) ?? null);

/** Null: no longer being changed. */
export function setCardDraft(place: Place, draft: CardDraft | null): void {
  const drafts = new Map(useDrafts.getState().drafts);
  if (draft) drafts.set(keyOf(place), draft);
  else drafts.delete(keyOf(place));
  useDrafts.setState({ drafts });
}
