// How far a fork is that takes a while, as main tells it (R4).
import { create } from 'zustand';
import type { WindowEvent } from '../../shared/model/events';
import type { ConversationId } from '../../shared/model/ids';

type ForkProgress = Omit<Extract<WindowEvent, { type: 'forkProgress' }>, 'type'>;

const useForks = create<{ progress: ForkProgress | null }>(() => ({ progress: null }));

export function noteForkProgress({ conversationId, done, total }: ForkProgress): void {
  useForks.setState({ progress: { conversationId, done, total } });
}

export function forgetForkProgress(): void {
  useForks.setState({ progress: null });
}

export function useForkProgress(conversationId: ConversationId | null): ForkProgress | null {
  const progress = useForks((state) => state.progress);
  return progress?.conversationId === conversationId ? progress : null;
}
