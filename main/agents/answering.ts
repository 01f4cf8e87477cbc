// What a request is made from at a place on a path: its messages, the agent's records, pins. Where nothing else can be done, the oldest steps are
// left out of it, and that is on record (X6).
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, NewId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord, Suits } from '../../shared/model/memoryRecord';
import type { ModelRequest } from '../../shared/model/request';
import { assemble, type BuiltContext } from '../context/buildRequest';
import type { Sent } from '../context/layout';
import type { PathMessage } from '../context/pathMessage';
import { planRequestTrim, recordOfTrim } from '../context/planRequestTrim';
import type { Now } from '../lib/clock';
import { listPins } from '../store/marks';
import { getMessage } from '../store/messages';
import { buildPath, type PathDeps } from './pathBuilding';
import type { Asked, Place } from './pathOutlook';

export type { Asked } from './pathOutlook';

export type AnsweringDeps = PathDeps & {
  /** Without it nothing is left out: a request that cannot fit is refused by its server. */
  trimming?: Trimming | undefined;
};

export type Trimming = {
  newId: NewId;
  now: Now;
  /** Told which messages this agent no longer sees on this path: their checkpoints are discarded (C4). */
  leftOut(args: { conversationId: ConversationId; agentId: AgentId; messageIds: readonly MessageId[] }): void;
};

/** A place on a path at which a request is made for an agent, with all that it is made from. `records` is null where the transcript cannot be used. */
export type Standpoint = Place &
  Asked & {
    turnId: TurnId | undefined;
    records: readonly MemoryRecord[] | null;
    pins: ReadonlySet<MessageId>;
    /** What of the records the model can be shown. */
    suits: Suits;
    /** Not all are built, but those that are sent by these records, and by any that are made over them. */
    built: readonly PathMessage[];
    context: BuiltContext;
  };

/** Throws `transcriptNewer` and `notFound`. */
export async function standpointFor(deps: AnsweringDeps, asked: Asked): Promise<Standpoint> {
  const { agent } = asked;
  const parent = getMessage(deps.db, asked.parentId);
  if (!parent) throw new FailureError(makeFailure('notFound', 'The message to answer is no longer there.'));
  const place = { conversationId: parent.conversationId, agentId: agent.id };
  const records = recordsOf(deps, place);
  const pins = new Set(listPins(deps.db, place.conversationId));
  const { built, suits, sent } = await buildPath(deps, asked, place, { records, pins });
  return standpointOf({ ...asked, ...place, turnId: parent.turnId, records, pins, suits, built }, sent);
}

/** The same place with other records. `sent`: what is sent by them, where that was found out already. */
export function standpointOf(stand: Omit<Standpoint, 'context'>, sent?: Sent): Standpoint {
  const { agent, model, tools, built, pins, records, suits } = stand;
  return { ...stand, context: assemble({ agent, model, tools, built, pins, suits, records: records ?? [], sent }) };
}

/** The request for an answer that hangs under `parentId`. Throws `transcriptNewer`, `notFound`, and what appending a record throws. */
export async function requestFor(deps: AnsweringDeps, asked: Asked): Promise<ModelRequest> {
  return trimmedToFit(deps, await standpointFor(deps, asked)).context.request;
}

/** Null where the transcript cannot be used: the messages themselves are left (X7). A newer one stops the turn. */
function recordsOf({ transcripts }: AnsweringDeps, place: Place): MemoryRecord[] | null {
  try {
    return [...transcripts.open(place).standing.records.values()];
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code === 'transcriptNewer') throw error;
    return null;
  }
}

/**
 * Where something must go because nothing else can be done, the record of it is appended: what is not on record is not left out (X6). Nothing goes
 * where that would not be enough. Throws what appending throws.
 */
export function trimmedToFit(
  deps: Pick<AnsweringDeps, 'trimming' | 'transcripts' | 'notify'>,
  stand: Standpoint,
  isEnough: (after: Standpoint) => boolean = () => true,
): Standpoint {
  const { trimming, transcripts, notify } = deps;
  const { context, agent, model, pins, conversationId, agentId, records } = stand;
  const plan = records && trimming && planRequestTrim({ context, agent, model, pins });
  if (!plan) return stand;
  const record = recordOfTrim(plan, { id: trimming.newId('rec'), turnId: stand.turnId, createdAt: trimming.now() });
  const after = standpointOf({ ...stand, records: [...records, record] });
  if (!isEnough(after)) return stand;
  transcripts.append({ conversationId, agentId }, { type: 'record', record });
  trimming.leftOut({ conversationId, agentId, messageIds: record.folded });
  notify?.({ code: 'stepsLeftOut', values: { count: record.folded.length, agent: agent.name }, tone: 'warning' });
  return after;
}
