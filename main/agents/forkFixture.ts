// Conversations with everything a fork has to carry, made at random, for its tests.
import { join } from 'node:path';
import fc from 'fast-check';
import type { AgentId, ConversationId, MessageId, RecordId, StepId, TurnId } from '../../shared/model/ids';
import { type MemoryBody, memoryOnPath } from '../../shared/model/memoryRecord';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest } from '../../shared/model/request';
import type { Step, StepPart } from '../../shared/model/transcript';
import { underPages } from '../context/ladder/underPages';
import { familyOf } from '../context/suits';
import { wordingVersion } from '../context/wording';
import { disk } from '../lib/disk';
import { createNewId } from '../lib/newId';
import { addCheckpoint } from '../store/checkpointRows';
import { createConversation } from '../store/conversations';
import { change, select, transaction, type WritableDb } from '../store/database';
import { putFailedTurn } from '../store/failedTurns';
import { removePin } from '../store/marks';
import { appendMessage, getMessage } from '../store/messages';
import { agentNamed, cnv, makeFailed, makeMessage, makeStore, msg, type TestStore } from '../store/storeFixture';
import { moveTip } from '../store/tips';
import { addTranscriptStep } from '../store/transcriptSteps';
import { rememberAgent } from '../store/usedAgents';
import { type BlobStore, createBlobStore } from '../transcript/blobs';
import { makeRecord } from '../transcript/transcriptFixture';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { requestFor } from './answering';
import { Forks, type ForksDeps } from './forks';

export const quietLogger: ForksDeps['logger'] = { log: () => undefined, with: () => quietLogger };
export const agents = [agentNamed('me'), agentNamed('you')] as const;

/** What each agent has: one that sees, one that is not known to. */
export const readers: readonly [ModelInfo, ModelInfo] = [{ id: 'gpt-4o', vision: true }, { id: 'm' }];

/** Some pages were made for it. */
export const otherFamily: ModelInfo = { id: 'claude-sonnet-4', vision: true };

export type ForkTest = TestStore & {
  blobs: BlobStore;
  transcripts: Transcripts;
  forks: Forks;
  /** What the agent would be sent for an answer under this message. */
  ask(conversationId: ConversationId, parentId: MessageId, by?: number): Promise<ModelRequest['messages']>;
  /** Everything of a conversation, as a reader of the database would find it. */
  dump(conversationId: ConversationId): unknown;
};

/** Files are sealed early, so that even small conversations have several. */
export function makeForkTest(sealAbove = 1500, use = disk, before: (db: WritableDb) => void = () => undefined): ForkTest {
  const store = makeStore();
  before(store.db);
  const blobs = createBlobStore({ folder: join(store.folder, 'blobs'), record: () => undefined });
  const transcripts = createTranscripts({ folder: join(store.folder, 'transcripts'), blobs, disk: use, sealAbove });
  createConversation(store.db, { id: cnv('1'), now: 1000, agentId: agents[0].id, title: 'A title', titleSource: 'auto' });
  for (const agent of agents) rememberAgent(store.db, { conversationId: cnv('1'), agent });
  const deps = {
    db: store.db,
    transcripts,
    newId: createNewId(() => 5000),
    now: () => 5000,
    logger: quietLogger,
    publish: () => undefined,
  };
  return {
    ...store,
    blobs,
    transcripts,
    forks: new Forks(deps),
    async ask(conversationId, parentId, by = 0) {
      const agent = agents[by] ?? agents[0];
      if (getMessage(store.db, parentId)?.conversationId !== conversationId) throw new Error('another conversation');
      const request = await requestFor(
        { db: store.db, blobs, transcripts },
        { parentId, agent, model: readers[by] ?? { id: 'm' }, tools: [tool] },
      );
      return request.messages;
    },
    dump: (conversationId) => dumpOf(store.db, conversationId),
  };
}

const tool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
const tables = [
  'messages',
  'labels',
  'pins',
  'checkpoints',
  'branch_tips',
  'failed_turns',
  'transcript_steps',
  'conversation_agents',
] as const;

export function dumpOf(db: WritableDb, conversationId: ConversationId): unknown {
  const rows = (table: string) =>
    select<Record<string, unknown>>(db, `SELECT * FROM ${table} WHERE conversation_id = ? ORDER BY rowid`).all(conversationId);
  return [select(db, 'SELECT * FROM conversations WHERE id = ?').get(conversationId), ...tables.map(rows)];
}

export const kinds = [
  'user',
  'digest',
  'retold',
  'broken',
  'calls',
  'own',
  'other',
  'failed',
  'record',
  'card',
  'pages',
  'edit',
  'undo',
  'redo',
  'label',
  'pin',
  'unpin',
  'checkpoint',
  'move',
] as const;
export type Act = { kind: (typeof kinds)[number]; under: number; near: boolean; turn: number };
export const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), under: fc.nat(40), near: fc.boolean(), turn: fc.nat(3) }),
  { minLength: 1, maxLength: 45 },
);

/** Does what the acts say; gives the names of the messages there are then. */
export function perform(test: ForkTest, all: readonly Act[]): MessageId[] {
  return [...performing(test, all)].at(-1) ?? [];
}

/** The same act by act. */
export function* performing(test: ForkTest, all: readonly Act[]): Generator<MessageId[], void> {
  const made: MessageId[] = [];
  for (const [at, act] of all.entries()) {
    const parent = made[act.near ? made.length - 1 : act.under % Math.max(1, made.length)] ?? null;
    if (parent === null || act.under === 0) say(test, made, `m${at}`, null, { turnId: turn(act) });
    else onMessage(test, made, { act, at, parent });
    yield made;
  }
}

const turn = ({ turn: n }: Act) => `trn_${n}` as TurnId;
type Place = { act: Act; at: number; parent: MessageId };

function onMessage(test: ForkTest, made: MessageId[], { act, at, parent }: Place): void {
  const { db } = test;
  const name = `m${at}`;
  const turnId = turn(act);
  const text: StepPart = { type: 'text', text: `words of ${name} ${'and more '.repeat(act.under)}` };
  const call: StepPart = { type: 'toolCall', callId: `call-${name}`, name: 'read', arguments: '{}' };
  const results = [{ callId: `call-${name}`, summary: 's', content: `inside ${name}` }];
  switch (act.kind) {
    case 'user':
      say(test, made, name, parent, { turnId });
      break;
    case 'digest':
      say(test, made, name, parent, {
        role: 'digest',
        digest: { from: made[act.turn % made.length] ?? parent, ...(act.turn % 2 ? { label: 'l' } : { focus: 'the oak', plain: true }) },
      });
      break;
    case 'retold':
      say(test, made, name, parent, { role: 'assistant', agentId: agents[0].id, turnId });
      break;
    case 'broken':
      step(test, made, name, parent, { content: [text], status: 'interrupted', turnId });
      break;
    case 'calls':
      step(test, made, name, parent, { content: [text, call], results, turnId });
      break;
    case 'own':
    case 'other':
      step(test, made, name, parent, { content: [text], turnId, agentId: agents[act.kind === 'own' ? 0 : 1].id });
      break;
    case 'failed':
      fail(test, name, parent, turnId);
      break;
    case 'record':
      record(test, { act, at, parent });
      break;
    case 'card':
    case 'pages':
    case 'edit':
      memory(test, { act, at, parent });
      break;
    case 'undo':
    case 'redo':
      takeBack(test, act, act.kind);
      break;
    case 'label':
      change(db, 'INSERT OR REPLACE INTO labels VALUES (?, ?, ?, 7)').run(parent, cnv('1'), name);
      break;
    case 'pin':
      change(db, 'INSERT OR REPLACE INTO pins VALUES (?, ?, 7)').run(parent, cnv('1'));
      break;
    case 'unpin':
      removePin(db, { conversationId: cnv('1'), messageId: parent });
      break;
    case 'checkpoint':
      addCheckpoint(db, { conversationId: cnv('1'), messageId: parent, label: name, by: 'user', createdAt: 3 });
      break;
    case 'move':
      moveTip(db, { conversationId: cnv('1'), to: parent });
      break;
  }
}

export function say(test: ForkTest, made: MessageId[], name: string, parent: MessageId | null, more: Partial<Message> = {}): void {
  appendMessage(test.db, { message: { ...makeMessage(name, null, more), parentId: parent }, tip: 'follow' });
  made.push(msg(name));
}

type StepMore = Partial<Message> & { content: StepPart[]; results?: Step['results'] };

export function step(test: ForkTest, made: MessageId[], name: string, parent: MessageId, more: StepMore): void {
  const { content, results = [], ...facts } = more;
  const agentId: AgentId = facts.agentId ?? agents[0].id;
  const turnId = facts.turnId ?? ('trn_1' as TurnId);
  const parts = content.flatMap((part) => (part.type === 'vendor' ? [] : [part]));
  const message: Message = { ...makeMessage(name, null, { role: 'assistant', parts, ...facts }), parentId: parent, agentId, turnId };
  const stepId = `stp_${name}` as StepId;
  const written: Step = { id: stepId, messageId: message.id, parentId: parent, turnId, model: 'p/m', content, results, createdAt: 1 };
  const { file } = test.transcripts.append({ conversationId: cnv('1'), agentId }, { type: 'step', step: written });
  transaction(test.db, () => {
    appendMessage(test.db, { message, tip: 'follow' });
    addTranscriptStep(test.db, { stepId, messageId: message.id, conversationId: cnv('1'), agentId, file });
  });
  made.push(message.id);
}

function fail(test: ForkTest, name: string, parent: MessageId, turnId: TurnId): void {
  const turn = { ...makeFailed(name, '0'), parentId: parent, turnId, agentId: agents[0].id };
  putFailedTurn(test.db, turn);
  const { failure } = turn;
  test.transcripts.append(
    { conversationId: cnv('1'), agentId: agents[0].id },
    { type: 'failed', parentId: parent, turnId, failure, createdAt: 1 },
  );
}

/** Over the path to its anchor: folds the start of it, leaves out a result. Some are undone. */
function record(test: ForkTest, { act, at, parent }: Place): void {
  const place = { conversationId: cnv('1'), agentId: agents[0].id };
  const path = pathTo(test.db, parent);
  const [first] = path;
  const made = makeRecord(`${at}`, '0', {
    anchorId: parent,
    kind: act.turn === 0 ? 'card' : act.turn === 1 ? 'free' : 'trim',
    folded: act.turn === 1 ? [] : path.slice(1, 1 + act.turn),
    elided: path.map((messageId) => ({ messageId, callId: `call-${messageId.slice(4)}` })),
    ...(act.near ? { previousId: `rec_${at - 1}` as RecordId } : {}),
  });
  const receipt = { ...made.receipt, turnId: turn(act), kept: first ? [first] : [] };
  test.transcripts.append(place, { type: 'record', record: { ...made, receipt } });
  if (act.under % 5 === 0) test.transcripts.append(place, { type: 'undo', recordId: made.id, createdAt: 3 });
}

/** Made over the one that holds there, as a pass or a hand makes it: a card, and pages, fold what is new, but for the end of the path. */
function memory(test: ForkTest, { act, at, parent }: Place): void {
  const place = placeOf(act);
  const path = pathTo(test.db, parent);
  const records = [...test.transcripts.open(place).standing.records.values()];
  const { memory: top, folded: before } = memoryOnPath(new Set(path), records, wordingVersion);
  const { base: previous, paged } = underPages(top, records);
  const fresh = path.slice(1, -1).filter((id) => !before.has(id));
  const folded = act.kind === 'edit' ? [] : [...paged, ...fresh];
  const stoodFor = new Set([...folded, ...(previous ? [previous.anchorId] : [])]);
  const anchorId = path.findLast((id) => stoodFor.has(id));
  if (anchorId === undefined || (act.kind === 'edit' ? !top || top.kind === 'pages' : fresh.length === 0)) return;
  const made = makeRecord(`${at}`, '0', {
    kind: act.kind === 'edit' ? 'edit' : act.kind === 'pages' ? 'pages' : 'card',
    anchorId,
    folded,
    body: {
      text: `card ${at}`,
      files: [],
      references: [],
      tasks: '- [ ] Mend the sail',
      ...(act.kind === 'pages' ? pagesBody(test, at, 1 + (act.under % 3)) : { pages: [] }),
    },
    ...(previous ? { previousId: previous.id } : {}),
  });
  const facts = { method: 'simple' as const, refused: ['cut'], identifiers: { kept: 1, total: 2, suspect: ['PX-77'] }, cost: 0.01 };
  const kept = path.filter((id) => !stoodFor.has(id) && !before.has(id));
  test.transcripts.append(place, { type: 'record', record: { ...made, receipt: { ...made.receipt, ...facts, turnId: turn(act), kept } } });
}

/** Pictures and texts are in the blob store, as a pass leaves them. */
function pagesBody({ blobs }: ForkTest, at: number, count: number): Pick<MemoryBody, 'pages' | 'frame'> {
  const pages = Array.from({ length: count }, (_, nth) => {
    const picture = Buffer.from(`picture ${nth} of ${at}`);
    const hash = blobs.writeNow(picture, 'image/png');
    const textHash = blobs.writeNow(Buffer.from(`printed ${nth} of ${at}`), 'text/plain');
    return { hash, width: 768, height: 2048, size: picture.length, textHash, characters: 14 };
  });
  return {
    pages,
    frame: { family: familyOf(at % 4 === 0 ? otherFamily : readers[0]) ?? '', legend: 'Pages.', head: `head ${at}`, tail: `tail ${at}` },
  };
}

/** Any of those there are, or again. */
function takeBack(test: ForkTest, act: Act, type: 'undo' | 'redo'): void {
  const place = placeOf(act);
  const ids = [...test.transcripts.open(place).standing.records.keys()];
  const recordId = ids[act.under % Math.max(1, ids.length)];
  if (recordId) test.transcripts.append(place, { type, recordId, createdAt: 4 });
}

const placeOf = ({ turn: n }: Act) => ({ conversationId: cnv('1'), agentId: agents[n === 3 ? 1 : 0].id });

export function pathTo(db: WritableDb, id: MessageId): MessageId[] {
  const path: MessageId[] = [];
  for (let at: MessageId | null = id; at; at = getMessage(db, at)?.parentId ?? null) path.unshift(at);
  return path;
}
