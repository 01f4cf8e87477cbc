// What a tool gave back, for a window that unfolds a call: from the running step's row, else from the agent's transcript (A5).
import type { MessageId, StepId } from '../../shared/model/ids';
import type { ToolResult } from '../../shared/model/tool';
import type { ReadableDb } from '../store/database';
import { liveContent } from '../store/liveSteps';
import { getMessage } from '../store/messages';
import { transcriptStepOf } from '../store/transcriptSteps';
import type { Transcripts } from '../transcript/transcripts';
import { failed } from './failed';

export type CallResult = ToolResult & { durationMs?: number | undefined };
type Asked = { callId: string; messageId?: MessageId | undefined; stepId?: StepId | undefined };

/** Throws `notFound` where there is none (yet), or its transcript is not there. */
export async function callResult(deps: { db: ReadableDb; transcripts: Pick<Transcripts, 'steps'> }, asked: Asked): Promise<CallResult> {
  const found = (asked.stepId && ofRunning(deps.db, asked.stepId, asked.callId)) ?? (await ofMessage(deps, asked));
  if (!found) throw failed('notFound', 'The result of this call is not there.');
  return found;
}

function ofRunning(db: ReadableDb, stepId: StepId, callId: string): CallResult | undefined {
  const call = liveContent(db, stepId)?.calls.find((one) => one.callId === callId);
  return call?.result && { ...call.result, durationMs: call.durationMs };
}

/** A running step becomes a message of its own: asked for by either. */
async function ofMessage(
  { db, transcripts }: Parameters<typeof callResult>[0],
  { callId, messageId }: Asked,
): Promise<CallResult | undefined> {
  const message = messageId && getMessage(db, messageId);
  if (!message?.agentId) return undefined;
  const { conversationId, agentId } = message;
  const ref = transcriptStepOf(db, { messageId: message.id, agentId });
  if (!ref) return undefined;
  const [step] = await transcripts.steps({ conversationId, agentId }, [ref]);
  const result = step?.results.find((one) => one.callId === callId);
  if (!result) return undefined;
  const { callId: _, ...rest } = result;
  return rest;
}
