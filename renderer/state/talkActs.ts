// What a person does with the messages of the open conversation. Main answers; what it refuses is shown.
import type { Attachment } from '../../shared/model/draft';
import type { AgentId, ConversationId, FailedTurnId, MessageId, StepId } from '../../shared/model/ids';
import type { TalkView } from '../../shared/model/talkView';
import { showFailure } from './appSlice';
import { client } from './client';
import { noteMove, standNow } from './leavingSlice';
import { openAt, openConversation, showView } from './talkSlice';
import { pageSize, useTalk } from './talkStore';

async function move(depth: number | null, call: (conversationId: ConversationId) => Promise<TalkView>): Promise<TalkView | null> {
  const { conversationId } = useTalk.getState();
  if (!conversationId) return null;
  try {
    const view = await call(conversationId);
    showView(view, depth === null ? { kind: 'end' } : { kind: 'depth', depth });
    return view;
  } catch (error) {
    showFailure(error);
    return null;
  }
}
/** A move that may leave a branch (T11). */
async function leave(...args: Parameters<typeof move>): Promise<void> {
  const before = standNow();
  const view = await move(...args);
  if (view) noteMove(before, view);
}

/** "Branch from here": the next message hangs under this one. */
export const goTo = (messageId: MessageId) => leave(null, (conversationId) => client().tree.goTo({ conversationId, messageId }));
/** To a turn that asks for the user's word: a look, no leaving. */
export const goToWaiting = (messageId: MessageId) => move(null, (conversationId) => client().tree.goTo({ conversationId, messageId }));
/** To the branch that a digest tells of, at its last message: a look, too. */
export async function goToOrigin(messageId: MessageId): Promise<void> {
  const { conversationId } = useTalk.getState();
  if (!conversationId) return;
  try {
    await openAt(() => client().tree.show({ conversationId, messageId }));
  } catch (error) {
    showFailure(error);
  }
}
export const goForward = () => move(null, (conversationId) => client().tree.forward({ conversationId }));
/** `from` null stands for the running or failed answer; `depth` is where the switcher sits and stays. */
export const goToSibling = (args: { parentId: MessageId | null; from: MessageId | null; depth: number; direction: 'previous' | 'next' }) =>
  leave(args.depth, (conversationId) =>
    client().tree.goToSibling({ conversationId, parentId: args.parentId, from: args.from, direction: args.direction }),
  );

export function startEditing(messageId: MessageId): void {
  useTalk.setState({ editing: messageId });
}
/** Edits the newest prompt on the path; false when none is loaded. */
export function editLastPrompt(): boolean {
  const { path } = useTalk.getState();
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const message = path.items.get(depth);
    if (!message) return false;
    if (message.role !== 'user') continue;
    startEditing(message.id);
    return true;
  }
  return false;
}
export function stopEditing(): void {
  useTalk.setState({ editing: null });
}

async function act(call: (conversationId: ConversationId) => Promise<unknown>): Promise<boolean> {
  const { conversationId } = useTalk.getState();
  if (!conversationId) return false;
  try {
    await call(conversationId);
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}
/** An act that starts an answer: the talk shows its end, where the answer will be. */
async function actThenShowEnd(call: (conversationId: ConversationId) => Promise<unknown>): Promise<boolean> {
  const { conversationId } = useTalk.getState();
  if (!(await act(call))) return false;
  if (conversationId && useTalk.getState().conversationId === conversationId) await openConversation(conversationId);
  return true;
}

/** Sends an edited prompt as a sibling; keeps the editor open when main refuses. */
export async function sendEdit(messageId: MessageId, text: string, attachments: Attachment[]): Promise<boolean> {
  const done = await actThenShowEnd((conversationId) => client().turn.edit({ conversationId, messageId, text, attachments }));
  if (done) stopEditing();
  return done;
}
/** Nothing is sent, so the edited answer stays where it was on screen. */
export async function saveAnswerEdit(messageId: MessageId, text: string, depth: number): Promise<boolean> {
  const done = await act((conversationId) => client().turn.editAnswer({ conversationId, messageId, text }));
  if (!done) return false;
  stopEditing();
  await move(depth, (conversationId) => client().talk.open({ conversationId, count: pageSize }));
  return true;
}
export const regenerate = (messageId: MessageId, agentId?: AgentId) =>
  actThenShowEnd((conversationId) => client().turn.regenerate({ conversationId, messageId, ...(agentId ? { agentId } : {}) }));
export const continueAnswer = (messageId: MessageId) =>
  actThenShowEnd((conversationId) => client().turn.continue({ conversationId, messageId }));
export const retryTurn = (failedTurnId: FailedTurnId) =>
  actThenShowEnd((conversationId) => client().turn.retry({ conversationId, failedTurnId }));
export const stopTurn = (stepId?: StepId) => act((conversationId) => client().turn.stop({ conversationId, ...(stepId ? { stepId } : {}) }));
export function openLink(url: string): void {
  void client().app.openExternal({ url }).catch(showFailure);
}
export async function copyText(text: string): Promise<boolean> {
  try {
    await client().app.copyText({ text });
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}
