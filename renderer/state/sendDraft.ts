// Sending what was written: as a message, or to wait for the turn that runs (A6).
import { type Draft, emptyDraft } from '../../shared/model/draft';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import type { QueueMode } from '../../shared/model/queue';
import { failureOf } from '../bridge';
import { client } from './client';
import { composerState, forgetUnsaved, patchComposer, saveDraft } from './composerSlice';
import { openConversation, refreshTalk } from './talkSlice';
import { talkState } from './talkStore';

/** Sends the draft as a message under the tip; the talk shows its end, where the answer will be. */
export function sendDraft(text: string, agentId: AgentId | null): Promise<void> {
  const { conversationId } = talkState();
  return handOver(text, async ({ attachments }) => {
    const recorded = await client().turn.start({ conversationId, text, attachments, agentId });
    return { goesTo: recorded.conversationId, show: () => openConversation(recorded.conversationId) };
  });
}

/** Lets the draft wait for the turn that runs under the tip. One that ended meanwhile needs no waiting: the draft is sent. */
export function queueDraft(text: string, agentId: AgentId | null, mode: QueueMode): Promise<void> {
  const { conversationId } = talkState();
  if (!conversationId) return sendDraft(text, agentId);
  return handOver(text, async ({ attachments }) => {
    try {
      await client().queue.add({ conversationId, text, attachments, mode });
      return { goesTo: conversationId, show: refreshTalk };
    } catch (error) {
      if (failureOf(error).code !== 'conflict') throw error;
      await client().turn.start({ conversationId, text, attachments, agentId });
      return { goesTo: conversationId, show: () => openConversation(conversationId) };
    }
  });
}

type Taken = { goesTo: ConversationId; show(): Promise<void> };
/** The draft is cleared only once main has recorded it. What came meanwhile stays, in the conversation it was meant for. */
async function handOver(text: string, record: (draft: Draft) => Promise<Taken>): Promise<void> {
  const { draft, sending, pending, key } = composerState();
  const { conversationId } = talkState();
  if (sending || pending.some((file) => file.failure === null)) return;
  if (text.trim() === '' && draft.attachments.length === 0) return;
  patchComposer({ sending: true, failure: null });
  try {
    const { goesTo, show } = await record(draft);
    const here = composerState().key === key;
    if (here) forgetUnsaved();
    const rest = here ? restOf(composerState().draft, { ...draft, text }) : emptyDraft;
    const left = rest.text !== '' || rest.attachments.length > 0;
    if (here) patchComposer((state) => ({ draft: rest, pending: [], written: state.written + 1 }));
    await Promise.all([saveDraft(key, key === goesTo ? rest : emptyDraft), left && key !== goesTo ? saveDraft(goesTo, rest) : null]);
    if (talkState().conversationId === conversationId) await show();
  } catch (error) {
    patchComposer({ failure: failureOf(error) });
  } finally {
    patchComposer({ sending: false });
  }
}

function restOf(now: Draft, sent: Draft): Draft {
  const gone = new Set(sent.attachments.map((part) => part.hash));
  return { text: restOfText(now.text, sent.text), attachments: now.attachments.filter((part) => !gone.has(part.hash)) };
}
/** What was typed behind a text that has been taken out of the box. */
export function restOfText(now: string, taken: string): string {
  return now.startsWith(taken) ? now.slice(taken.length).trimStart() : now;
}
