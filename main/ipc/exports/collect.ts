// Gathers what an export is made from: the messages of the scope and everything that hangs on them, transcripts included (I1, I2).
import type { ExportScope } from '../../../shared/model/export';
import type { AgentId, ConversationId, MessageId } from '../../../shared/model/ids';
import type { FailedTurn } from '../../../shared/model/live';
import type { Message } from '../../../shared/model/message';
import type { Step, TranscriptFailure } from '../../../shared/model/transcript';
import type { Bundle, ExportedTranscript } from '../../interchange/export/bundle';
import { checkpointsOf } from '../../store/checkpointRows';
import { requireConversation } from '../../store/conversations';
import type { ReadableDb } from '../../store/database';
import { listFailedTurns } from '../../store/failedTurns';
import { agentsWithTranscripts } from '../../store/forks';
import { listLabels, listPins } from '../../store/marks';
import { branchTipsOf, currentTip } from '../../store/tips';
import { transcriptStepsOf } from '../../store/transcriptSteps';
import { usedAgents } from '../../store/usedAgents';
import type { Transcripts } from '../../transcript/transcripts';
import { type Reading, readScope, type TreeArgs } from './readTree';

export type CollectDeps = { db: ReadableDb; transcripts: Pick<Transcripts, 'open' | 'steps'> };
export type CollectArgs = TreeArgs & { scope: ExportScope };

/** Throws `notFound`, what transcripts throw, and the signal's reason. */
export async function collectBundle({ db, transcripts }: CollectDeps, args: CollectArgs, reading: Reading = {}): Promise<Bundle> {
  const { conversationId, scope } = args;
  const conversation = requireConversation(db, conversationId);
  const { messages, at } = await readScope(db, args, reading);
  const here = new Set(messages.map(({ id }) => id));
  const tip = currentTip(db, conversationId);
  return {
    conversation,
    scope,
    messages,
    tipId: tip !== null && here.has(tip) ? tip : scope === 'path' ? at : (messages.at(-1)?.id ?? null),
    labels: listLabels(db, conversationId).filter(({ messageId }) => here.has(messageId)),
    pins: listPins(db, conversationId).filter((id) => here.has(id)),
    checkpoints: checkpointsOf(db, conversationId).filter(({ messageId }) => here.has(messageId)),
    branchTips: branchTipsOf(db, conversationId).filter(({ childId, tipId }) => here.has(childId) && here.has(tipId)),
    agents: usedAgents(db, conversationId),
    transcripts: await readTranscripts({ db, transcripts }, { conversationId, messages, here }, reading),
  };
}

type Held = { conversationId: ConversationId; messages: readonly Message[]; here: ReadonlySet<MessageId> };

async function readTranscripts(deps: CollectDeps, held: Held, { signal }: Reading): Promise<ExportedTranscript[]> {
  const { conversationId, messages, here } = held;
  const all: ExportedTranscript[] = [];
  // A failure's row is the truth: a transcript may lack it.
  const turns = listFailedTurns(deps.db, { conversationId }).filter(({ parentId }) => here.has(parentId));
  const agentIds = new Set([...agentsWithTranscripts(deps.db, conversationId), ...turns.map((turn) => turn.agentId)]);
  for (const agentId of agentIds) {
    const own = messages.filter((one) => one.agentId === agentId);
    const steps = await readSteps(deps, { conversationId, agentId, messages: own }, signal);
    const { records } = deps.transcripts.open({ conversationId, agentId }).standing;
    const one: ExportedTranscript = {
      agentId,
      steps,
      records: [...records.values()].filter(({ anchorId }) => here.has(anchorId)),
      failed: turns.filter((turn) => turn.agentId === agentId).map(toFailure),
    };
    if (one.steps.length + one.records.length + one.failed.length > 0) all.push(one);
  }
  return all;
}

function toFailure({ parentId, turnId, model, failure, createdAt }: FailedTurn): TranscriptFailure {
  return { parentId, turnId, model, failure, createdAt };
}

/** Steps read in one go: between two goes others have their turn. */
const stepsAtOnce = 40;

type StepArgs = { conversationId: ConversationId; agentId: AgentId; messages: readonly Message[] };

async function readSteps({ db, transcripts }: CollectDeps, args: StepArgs, signal: AbortSignal | undefined): Promise<Step[]> {
  const { conversationId, agentId, messages } = args;
  const steps: Step[] = [];
  for (let from = 0; from < messages.length; from += stepsAtOnce) {
    signal?.throwIfAborted();
    const some = messages.slice(from, from + stepsAtOnce);
    const refs = transcriptStepsOf(db, { messageIds: some.map(({ id }) => id), agentId });
    const found = await transcripts.steps({ conversationId, agentId }, refs);
    const byMessage = new Map(found.map((step) => [step.messageId, step]));
    const copied = new Set(refs.flatMap((ref) => (ref.copied ? [ref.messageId] : [])));
    for (const message of some) {
      const step = byMessage.get(message.id);
      if (step) steps.push(copied.has(message.id) ? placed(step, message) : step);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return steps;
}

/** The line of a fork's copy names the place it was copied from (T9). */
function placed(step: Step, { parentId, turnId }: Message): Step {
  return { ...step, parentId: parentId ?? step.parentId, turnId: turnId ?? step.turnId };
}
