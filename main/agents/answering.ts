// Gathers what a request is built from: the path, the agent's own steps and records from its transcript, names, and the texts of files. Between
// steps only what was added is read (N9). A lost blob is told to the model and the user, never hidden (X4).
import type { Agent } from '../../shared/model/agent';
import type { Notice } from '../../shared/model/events';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, BlobHash, ConversationId, MessageId, NewId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord, Suits } from '../../shared/model/memoryRecord';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, ToolDefinition } from '../../shared/model/request';
import type { Step } from '../../shared/model/transcript';
import { assemble, type BuiltContext } from '../context/buildRequest';
import { imagePriceOf } from '../context/imagePrice';
import { type BuiltMessage, buildMessage, isContinued, offersRecall, type Reading, tellsCalls } from '../context/pathMessage';
import { planRequestTrim, recordOfTrim } from '../context/planRequestTrim';
import { suitsReader } from '../context/suits';
import type { Now } from '../lib/clock';
import { checkpointsOnPath } from '../store/checkpointRows';
import { type ReadableDb, snapshot } from '../store/database';
import { listPins } from '../store/marks';
import { depthOf, getMessage, readPath } from '../store/messages';
import { transcriptStepsOf } from '../store/transcriptSteps';
import { usedAgents } from '../store/usedAgents';
import type { Transcripts } from '../transcript/transcripts';
import { type BuiltPath, type BuiltPaths, sizeOf } from './builtPaths';
import { type ContentBlobs, lookFor } from './pathContent';

export type AnsweringDeps = {
  db: ReadableDb;
  blobs: ContentBlobs;
  transcripts: Transcripts;
  /** Without it every request is read and built from the start. */
  paths?: BuiltPaths | undefined;
  /** Without it nothing is left out: a request that cannot fit is refused by its server. */
  trimming?: Trimming | undefined;
  notify?: ((notice: Notice) => void) | undefined;
};

export type Trimming = {
  newId: NewId;
  now: Now;
  /** Told which messages this agent no longer sees on this path: their checkpoints are discarded (C4). */
  leftOut(args: { conversationId: ConversationId; agentId: AgentId; messageIds: readonly MessageId[] }): void;
};

/** What is answered, by whom, and what the model may call. */
export type Asked = { parentId: MessageId; agent: Agent; model: ModelInfo; tools: readonly ToolDefinition[] };

type Place = { conversationId: ConversationId; agentId: AgentId };

/** A place on a path at which a request is made for an agent, with all that it is made from. `records` is null where the transcript cannot be used. */
export type Standpoint = Place &
  Asked & {
    turnId: TurnId | undefined;
    records: readonly MemoryRecord[] | null;
    pins: ReadonlySet<MessageId>;
    /** What of the records the model can be shown. */
    suits: Suits;
    built: readonly BuiltMessage[];
    context: BuiltContext;
  };

/** Throws `transcriptNewer` and `notFound`. */
export async function standpointFor(deps: AnsweringDeps, asked: Asked): Promise<Standpoint> {
  const { agent } = asked;
  const parent = getMessage(deps.db, asked.parentId);
  if (!parent) throw new FailureError(makeFailure('notFound', 'The message to answer is no longer there.'));
  const place = { conversationId: parent.conversationId, agentId: agent.id };
  const records = recordsOf(deps, place);
  const { built } = await builtPath(deps, asked, place, records !== null);
  const pins = new Set(listPins(deps.db, place.conversationId));
  return withPictures(deps, { ...asked, ...place, turnId: parent.turnId, records, pins, built });
}

/** The same place with other records. */
export function standpointOf(stand: Omit<Standpoint, 'context'>): Standpoint {
  const { agent, model, tools, built, pins, records, suits } = stand;
  return { ...stand, context: assemble({ agent, model, tools, built, pins, suits, records: records ?? [] }) };
}

/** Pages whose pictures are gone are told, and of no use to anybody (X4); only those that would be sent are looked for. */
function withPictures(deps: AnsweringDeps, place: Omit<Standpoint, 'context' | 'suits'>): Standpoint {
  const missing = new Set<BlobHash>();
  for (;;) {
    const stand = standpointOf({ ...place, suits: suitsReader(place.model, missing) });
    const pages = stand.context.layout.memory?.body?.pages ?? [];
    const gone = pages.filter(({ hash }) => deps.blobs.has?.(hash) === false);
    if (gone.length === 0) return stand;
    for (const { hash } of gone) missing.add(hash);
    tellLost(deps, missing);
  }
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

async function builtPath(deps: AnsweringDeps, asked: Asked, place: Place, isUsable: boolean): Promise<BuiltPath> {
  const { db, paths } = deps;
  const known = isUsable ? paths?.get(place.conversationId, place.agentId) : undefined;
  const outlook = outlookOf(db, asked, place);
  const base = known && known.key === keyOf(outlook, labelsOf(db, asked, place, known.digestParents)) ? known : undefined;
  const { keep, added } = addedTo(db, asked.parentId, base);
  const digestParents = [
    ...(base?.digestParents ?? []),
    ...added.flatMap((message) => (message.role === 'digest' && message.parentId ? [message.parentId] : [])),
  ];
  const labels = labelsOf(db, asked, place, digestParents);
  const steps = isUsable ? await ownSteps(deps, added, place) : new Map<MessageId, Step>();
  const { texts, missing } = await lookFor(deps.blobs, added, steps.values());
  tellLost(deps, missing);
  const reading: Reading = { ...outlook, agentId: place.agentId, labels, texts, missing };
  const fresh = added.map((message, at) => buildMessage(reading, message, steps.get(message.id), isContinued(message, added[at + 1])));
  const before = base ? base.built.slice(0, keep) : [];
  const size = before.length === base?.built.length ? base.size : sizeOf(before);
  const path: BuiltPath = { key: keyOf(outlook, labels), built: [...before, ...fresh], digestParents, size: size + sizeOf(fresh) };
  if (isUsable) paths?.keep(place.conversationId, place.agentId, path);
  return path;
}

/** Messages a kept path may lack and still be added to. */
const mostAdded = 32;

/** How many messages of the base are on this path, and the rest of it. An answer that broke off is told by what follows it: it is read again. */
function addedTo(db: ReadableDb, parentId: MessageId, base: BuiltPath | undefined): { keep: number; added: Message[] } {
  return snapshot(db, () => {
    const added: Message[] = [];
    let id: MessageId | null = parentId;
    while (base && id !== null && added.length <= mostAdded) {
      const at = placeIn(base, id);
      const isWhole = at >= 0 && base.built[at]?.interrupted === false;
      // A tree that was repaired meanwhile has another depth here.
      if (isWhole && depthOf(db, parentId) === at + added.length) return { keep: at + 1, added: added.reverse() };
      const message = getMessage(db, id);
      if (!message) break;
      added.push(message);
      id = message.parentId;
    }
    return { keep: 0, added: readPath(db, parentId) };
  });
}

function placeIn({ built }: BuiltPath, id: MessageId): number {
  for (let at = built.length - 1; at >= 0; at--) if (built[at]?.id === id) return at;
  return -1;
}

type Outlook = Pick<Reading, 'vision' | 'callsAsText' | 'canRecall' | 'price' | 'agentNames'> & Pick<ModelInfo, 'imageRule'>;

function outlookOf(db: ReadableDb, { agent, model, tools }: Asked, { conversationId }: Place): Outlook {
  const others = usedAgents(db, conversationId).filter(({ id }) => id !== agent.id);
  return {
    vision: model.vision !== false,
    callsAsText: tellsCalls(model, tools),
    canRecall: offersRecall(tools),
    price: imagePriceOf(model),
    imageRule: model.imageRule,
    agentNames: new Map(others.map(({ id, name }) => [id, name])),
  };
}

/** Of several checkpoints at one message the first. */
function labelsOf(db: ReadableDb, { parentId }: Asked, { conversationId }: Place, digestParents: readonly MessageId[]) {
  if (digestParents.length === 0) return new Map<MessageId, string>();
  const wanted = new Set(digestParents);
  const rows = checkpointsOnPath(db, { conversationId, tipId: parentId }).filter(({ messageId }) => wanted.has(messageId));
  return new Map(rows.reverse().map(({ messageId, label }) => [messageId, label]));
}

function keyOf({ vision, callsAsText, canRecall, imageRule, agentNames }: Outlook, labels: ReadonlyMap<MessageId, string>): string {
  return JSON.stringify([vision, callsAsText, canRecall, imageRule, [...agentNames], [...labels].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

async function ownSteps({ db, transcripts }: AnsweringDeps, path: readonly Message[], place: Place): Promise<Map<MessageId, Step>> {
  const own = path.flatMap(({ id, agentId }) => (agentId === place.agentId ? [id] : []));
  const steps = await transcripts.steps(place, transcriptStepsOf(db, { messageIds: own, agentId: place.agentId }));
  return new Map(steps.map((step) => [step.messageId, step]));
}

function tellLost({ notify, paths }: AnsweringDeps, missing: ReadonlySet<BlobHash>): void {
  const count = paths?.untold(missing).length ?? 0;
  if (count > 0) notify?.({ code: 'contentLost', values: { count }, tone: 'warning' });
}
