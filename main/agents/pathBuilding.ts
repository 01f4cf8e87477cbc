// A path as requests are made of it: from the store, the agent's own steps and the texts of files. Between steps only what was added is read (N9),
// and of what the records leave out as a whole only its place. A lost blob is told to the model and the user, never hidden (X4).
import type { Notice } from '../../shared/model/events';
import type { BlobHash, ConversationId, MessageId } from '../../shared/model/ids';
import type { MemoryRecord, Suits } from '../../shared/model/memoryRecord';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { Step } from '../../shared/model/transcript';
import { type Sent, type SentArgs, sentOf } from '../context/layout';
import {
  type BuiltMessage,
  buildMessage,
  isBuilt,
  isContinued,
  onlyPlace,
  type PathMessage,
  placeOf,
  type Reading,
} from '../context/pathMessage';
import { suitsReader } from '../context/suits';
import { type ReadableDb, snapshot } from '../store/database';
import { depthOf, getMessage, readPath } from '../store/messages';
import { transcriptStepsOf } from '../store/transcriptSteps';
import type { Transcripts } from '../transcript/transcripts';
import { type BuiltPath, type BuiltPaths, sizeOf } from './builtPaths';
import { type ContentBlobs, lookFor } from './pathContent';
import { type Asked, keyOf, labelsOf, type Outlook, outlookOf, type Place } from './pathOutlook';

export type PathDeps = {
  db: ReadableDb;
  blobs: ContentBlobs;
  transcripts: Transcripts;
  /** Without it every path is read and built from the start, and whole. */
  paths?: BuiltPaths | undefined;
  notify?: ((notice: Notice) => void) | undefined;
  /** Told where messages have turned out to be retold (X7): views mark them. */
  retold?: ((conversationId: ConversationId) => void) | undefined;
};

/** What says which messages are sent. `records` is null where the transcript cannot be used. */
type Holding = { records: readonly MemoryRecord[] | null; pins: ReadonlySet<MessageId> };

/** `suits`: what of the records the model can be shown. `sent`: what is sent by them. */
export type Path = { built: readonly PathMessage[]; suits: Suits; sent: Sent };

/** The messages up to `parentId`. Built are at least those that are sent by what holds, now and with any memory that is made over it. */
export async function buildPath(deps: PathDeps, asked: Asked, place: Place, { records, pins }: Holding): Promise<Path> {
  const { db } = deps;
  const paths = records === null ? undefined : deps.paths;
  const outlook = outlookOf(db, asked, place);
  const known = paths?.get(place.conversationId, place.agentId);
  const base = known && known.key === keyOf(outlook, labelsOf(db, asked, place, known.digestParents)) ? known : undefined;
  const shownOn: ShownOn = (path) => sentTo(deps, asked.model, { path, records: records ?? [], pins });
  const { before, added, sent, suits } = stretchesOf(db, asked.parentId, base?.built ?? [], shownOn);
  const isSent = paths ? sent.isSent : () => true;
  const digestParents = [...(base && before.length > 0 ? base.digestParents : []), ...digestParentsIn(added)];
  const labels = labelsOf(db, asked, place, digestParents);
  const telling: Telling = { outlook, labels, place, hasSteps: records !== null };
  const entries = added.flatMap((message, at) => (isSent(message.id) ? [{ message, next: added[at + 1] }] : []));
  const read = new Map((await readWhole(deps, telling, entries)).map((one) => [one.id, one]));
  const fresh = added.map((message) => read.get(message.id) ?? placeOf(message, place.agentId));
  const kept = before.some((one) => isBuilt(one) && !isSent(one.id))
    ? before.map((one) => (isSent(one.id) ? one : onlyPlace(one)))
    : before;
  const size = base?.built === kept ? base.size : sizeOf(kept);
  const path: BuiltPath = { key: keyOf(outlook, labels), built: [...kept, ...fresh], digestParents, size: size + sizeOf(fresh) };
  paths?.keep(place.conversationId, place.agentId, path);
  return { built: path.built, suits, sent };
}

type Standing = Asked & Place & { built: readonly PathMessage[] };
/** Messages that are read in one piece. */
const mostAtOnce = 100;

/** These messages of the path as they would be sent, in its order, a few milliseconds at a time. */
export async function wholeMessages(deps: PathDeps, stand: Standing, ids: ReadonlySet<MessageId>): Promise<BuiltMessage[]> {
  const { db } = deps;
  const outlook = outlookOf(db, stand, stand);
  const wanted = stand.built.flatMap((one, at) => (ids.has(one.id) ? [{ one, next: stand.built[at + 1] }] : []));
  const whole: BuiltMessage[] = [];
  for (let at = 0; at < wanted.length; at += mostAtOnce) {
    const some = wanted.slice(at, at + mostAtOnce);
    const entries = some.flatMap(({ one: { id, messages }, next }) => {
      const message = messages ? undefined : getMessage(db, id);
      return message ? [{ message, next }] : [];
    });
    const labels = labelsOf(db, stand, stand, digestParentsIn(entries.map(({ message }) => message)));
    const read = new Map((await readWhole(deps, { outlook, labels, place: stand, hasSteps: true }, entries)).map((one) => [one.id, one]));
    whole.push(...some.flatMap(({ one }) => (isBuilt(one) ? one : (read.get(one.id) ?? []))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return whole;
}

type Telling = { outlook: Outlook; labels: Reading['labels']; place: Place; hasSteps: boolean };
/** `next` on the path: an answer that broke off is told by what follows it. */
type Entry = { message: Message; next: Pick<Message, 'role' | 'turnId'> | undefined };

async function readWhole(deps: PathDeps, telling: Telling, entries: readonly Entry[]): Promise<BuiltMessage[]> {
  const { outlook, labels, place, hasSteps } = telling;
  const messages = entries.map(({ message }) => message);
  const steps = hasSteps ? await ownSteps(deps, messages, place) : new Map<MessageId, Step>();
  const { texts, missing } = await lookFor(deps.blobs, messages, steps.values());
  tellLost(deps, missing);
  const reading: Reading = { ...outlook, agentId: place.agentId, labels, texts, missing };
  return entries.map(({ message, next }) => buildMessage(reading, message, steps.get(message.id), isContinued(message, next)));
}

/** Messages a kept path may lack and still be added to. */
const mostAdded = 32;
type Shown = Pick<Path, 'suits' | 'sent'>;
type ShownOn = (path: SentArgs['path']) => Shown;
type Stretches = Shown & { before: readonly PathMessage[]; added: Message[] };

/** What of the base is on this path, and the rest of it. All is read anew where something is sent of which the base has only the place. */
function stretchesOf(db: ReadableDb, parentId: MessageId, base: readonly PathMessage[], shownOn: ShownOn): Stretches {
  return snapshot(db, () => {
    const { keep, added } = addedTo(db, parentId, base);
    const before = keep === base.length ? base : base.slice(0, keep);
    const shown = shownOn([...before, ...added]);
    if (before.every((one) => isBuilt(one) || !shown.sent.isSent(one.id))) return { ...shown, before, added };
    return { ...shown, before: [], added: readPath(db, parentId) };
  });
}

/** Pages whose pictures are gone are told, and of no use to anybody (X4); only those that would be sent are looked for. */
function sentTo(deps: PathDeps, model: ModelInfo, args: Omit<SentArgs, 'suits'>): Shown {
  const missing = new Set<BlobHash>();
  for (;;) {
    const suits = suitsReader(model, missing);
    const sent = sentOf({ ...args, suits });
    const gone = (sent.memory.memory?.body?.pages ?? []).filter(({ hash }) => deps.blobs.has?.(hash) === false);
    if (gone.length === 0) return { sent, suits };
    for (const { hash } of gone) missing.add(hash);
    tellLost(deps, missing);
  }
}

/** How many messages of the base are on this path, and the rest of it. An answer that broke off is told by what follows it: it is read again. */
function addedTo(db: ReadableDb, parentId: MessageId, base: readonly PathMessage[]): { keep: number; added: Message[] } {
  const added: Message[] = [];
  let id: MessageId | null = parentId;
  while (base.length > 0 && id !== null && added.length <= mostAdded) {
    const at = base.findLastIndex((one) => one.id === id);
    const isWhole = at >= 0 && base[at]?.interrupted === false;
    // A tree that was repaired meanwhile has another depth here.
    if (isWhole && depthOf(db, parentId) === at + added.length) return { keep: at + 1, added: added.reverse() };
    const message = getMessage(db, id);
    if (!message) break;
    added.push(message);
    id = message.parentId;
  }
  return { keep: 0, added: readPath(db, parentId) };
}

function digestParentsIn(messages: readonly Message[]): MessageId[] {
  return messages.flatMap(({ role, parentId }) => (role === 'digest' && parentId ? [parentId] : []));
}

async function ownSteps({ db, transcripts, retold }: PathDeps, path: readonly Message[], place: Place): Promise<Map<MessageId, Step>> {
  const own = path.flatMap(({ id, agentId }) => (agentId === place.agentId ? [id] : []));
  const refs = transcriptStepsOf(db, { messageIds: own, agentId: place.agentId });
  const steps = new Map((await transcripts.steps(place, refs)).map((step) => [step.messageId, step]));
  const asked = refs.map(({ messageId }) => messageId);
  if (transcripts.noteFound(place, asked, new Set(steps.keys()))) retold?.(place.conversationId);
  return steps;
}

function tellLost({ notify, paths }: PathDeps, missing: ReadonlySet<BlobHash>): void {
  const count = paths?.untold(missing).length ?? 0;
  if (count > 0) notify?.({ code: 'contentLost', values: { count }, tone: 'warning' });
}
