// Leaving a branch (T11): whether a digest of it is carried along, asked or as the settings say; and the digests that are being made.
import { create } from 'zustand';
import type { Carry } from '../../shared/model/carry';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { TalkView } from '../../shared/model/talkView';
import { appState, showFailure, showNotice } from './appSlice';
import { client } from './client';
import { talkState, useTalk } from './talkStore';

export type CarryChoice = 'nothing' | 'automatic' | 'focus';
type Left = { conversationId: ConversationId; leftId: MessageId; targetId: MessageId };
/** Asked after a move that left this many messages, or before one that `go` makes. */
type Question = { type: 'left'; left: Left; messages: number } | { type: 'going'; go(): Promise<void> };

const useLeaving = create<{ asking: Question | null }>(() => ({ asking: null }));
export const useLeavingQuestion = () => useLeaving((state) => state.asking);
export const useCarries = (): readonly Carry[] => useTalk((state) => state.carries);

export function resetLeaving(): void {
  useLeaving.setState({ asking: null });
}

/** Where the open conversation stands; null where there is nothing that could be left. */
export type Stand = { conversationId: ConversationId; tipId: MessageId };
export function standNow(): Stand | null {
  const { conversationId, path } = talkState();
  return conversationId && path.tipId ? { conversationId, tipId: path.tipId } : null;
}

/** After a move by the user: nothing, the question, or the digest, as the settings say. Never in the way of the move. */
export function noteMove(before: Stand | null, { conversation, tipId }: TalkView): void {
  const choice = appState().settings?.preferences.leavingBranch ?? 'nothing';
  if (choice === 'nothing' || before?.conversationId !== conversation.id || tipId === null || tipId === before.tipId) return;
  const left = { conversationId: conversation.id, leftId: before.tipId, targetId: tipId };
  void (choice === 'digest' ? carry(left) : askAfter(left)).catch(showFailure);
}

async function askAfter(left: Left): Promise<void> {
  const { messages } = await client().tree.left(left);
  const isStill = talkState().conversationId === left.conversationId && talkState().path.tipId === left.targetId;
  if (messages > 0 && isStill) useLeaving.setState({ asking: { type: 'left', left, messages } });
}

/** Opens the dialog before a move. */
export function askToGo(go: () => Promise<void>): void {
  useLeaving.setState({ asking: { type: 'going', go } });
}

export function closeLeaving(): void {
  useLeaving.setState({ asking: null });
}

export async function confirmLeaving(choice: CarryChoice, focus: string): Promise<void> {
  const { asking } = useLeaving.getState();
  closeLeaving();
  if (!asking) return;
  const left = asking.type === 'left' ? asking.left : await moved(asking.go);
  if (!left || choice === 'nothing') return;
  const words = choice === 'focus' ? focus.trim() : '';
  try {
    const begun = await carry(words === '' ? left : { ...left, focus: words });
    if (!begun) showNotice({ code: 'nothingLeft', tone: 'info' });
  } catch (error) {
    showFailure(error);
  }
}

/** What the move left; null where it did not happen. */
async function moved(go: () => Promise<void>): Promise<Left | null> {
  const before = standNow();
  await go();
  const after = standNow();
  if (!before || after?.conversationId !== before.conversationId || after.tipId === before.tipId) return null;
  return { conversationId: before.conversationId, leftId: before.tipId, targetId: after.tipId };
}

async function carry(left: Left & { focus?: string }): Promise<boolean> {
  return (await client().tree.carry(left)).begun;
}

export function stopCarry(targetId: MessageId): void {
  const { conversationId } = talkState();
  if (conversationId) void client().tree.stopCarry({ conversationId, targetId }).catch(showFailure);
}
