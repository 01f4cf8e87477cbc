// The view of a conversation as windows get it: stored rows, with the running text as it is now and the names only this workspace may know.
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { PathSlice, TalkView } from '../../shared/model/talkView';
import type { ReadableDb } from '../store/database';
import { readTalk } from '../store/talkView';
import { lackingSteps } from '../store/transcriptSteps';
import { usedAgents } from '../store/usedAgents';
import type { Transcripts } from '../transcript/transcripts';
import type { WindowContext } from './context';

/** Messages of a view that nobody asked for in particular. */
export const pageSize = 50;

export function viewOf(
  context: WindowContext,
  args: { conversationId: ConversationId; count: number; offset?: number | undefined },
): TalkView {
  const workspace = context.workspace();
  const read = workspace.read();
  const { db } = read;
  const { notice, ...view } = readTalk(db, args);
  if (notice) workspace.hub.publish({ type: 'notice', notice: { code: notice, tone: 'warning' } });
  const agentNames = Object.fromEntries(usedAgents(db, view.conversation.id).map((agent) => [agent.id, agent.name]));
  const now = workspace.agents()?.running.withLiveText(view) ?? view;
  const carries = workspace.agents()?.carries.of(view.conversation.id) ?? [];
  return { ...now, slice: withRetold(read, now.slice), agentNames, ...(carries.length > 0 ? { carries } : {}) };
}

/** Marks what the model is told of from the store alone (X7). */
export function withRetold({ db, transcripts }: { db: ReadableDb; transcripts: Pick<Transcripts, 'lacks'> }, slice: PathSlice): PathSlice {
  const lacking = lackingSteps(db, slice.items);
  const isRetold = (id: MessageId) => lacking.has(id) || transcripts.lacks(id);
  if (!slice.items.some(({ id }) => isRetold(id))) return slice;
  return { ...slice, items: slice.items.map((item) => (isRetold(item.id) ? { ...item, retold: true } : item)) };
}
