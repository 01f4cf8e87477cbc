// Passes that run, by conversation and agent; and what is said when an automatic one has ended (L11, L17).
import { create } from 'zustand';
import type { WindowEvent } from '../../shared/model/events';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import type { RunningPass } from '../../shared/model/memoryView';
import { appState, dismissNotice, showFailure, showUndoable } from './appSlice';
import { client } from './client';
import { talkState, useTalk } from './talkStore';

type Place = { conversationId: ConversationId; agentId: AgentId };
const keyOf = ({ conversationId, agentId }: Place) => `${conversationId} ${agentId}`;
const usePasses = create<{ running: ReadonlyMap<string, RunningPass> }>(() => ({ running: new Map() }));

export const useRunningPass = (place: Place | null): RunningPass | null =>
  usePasses(({ running }) => (place && running.get(keyOf(place))) ?? null);
/** Of any agent of the conversation. */
export const useRunningPassIn = (conversationId: ConversationId | null): RunningPass | null =>
  usePasses(({ running }) => [...running.values()].find((pass) => pass.conversationId === conversationId) ?? null);

/** What main last said of it. */
export function takeRunning(place: Place, pass: RunningPass | null): void {
  const { running } = usePasses.getState();
  const key = keyOf(place);
  if (pass === null && !running.has(key)) return;
  const next = new Map(running);
  if (pass) next.set(key, pass);
  else next.delete(key);
  usePasses.setState({ running: next });
}

export function notePass(event: Extract<WindowEvent, { type: 'passChanged' }>): void {
  takeRunning(event, event.pass);
}

let leaving: (() => void) | undefined;
function dismissCompacted(): void {
  leaving?.();
  leaving = undefined;
  for (const { code, key } of appState().notices) if (code === 'compacted' || code === 'compactedBytes') dismissNotice(key);
}

/** Passes by hand are answered where they were asked for. */
export function noteCompacted({ conversationId, agentId, receipt }: Extract<WindowEvent, { type: 'context.compacted' }>): void {
  const { record, trigger } = receipt;
  if (!record || trigger === 'hand' || talkState().conversationId !== conversationId) return;
  const { tokensBefore, tokensAfter, bytesBefore, bytesAfter } = record.receipt;
  const [before, after] = trigger === 'bytes' ? [bytesBefore, bytesAfter] : [tokensBefore, tokensAfter];
  // The newest says where the context is now, and it speaks of the conversation that is open.
  dismissCompacted();
  leaving = useTalk.subscribe((talk) => {
    if (talk.conversationId !== conversationId) dismissCompacted();
  });
  const values = { before, after, saved: Math.max(0, before - after) };
  showUndoable(
    trigger === 'bytes' ? { code: 'compactedBytes', values, tone: 'info' } : { code: 'compacted', values, tone: 'info' },
    () => void client().memory.undo({ conversationId, agentId, recordId: record.id }).catch(showFailure),
  );
}

export async function stopPass({ conversationId, agentId }: Place): Promise<void> {
  try {
    await client().memory.stop({ conversationId, agentId });
  } catch (error) {
    showFailure(error);
  }
}
