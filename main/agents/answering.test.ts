// What is kept between requests never shows: the request is the one that is built from the start.
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notice } from '../../shared/model/events';
import { type Failure, FailureError } from '../../shared/model/failure';
import type { AgentId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { ImagePart, Message } from '../../shared/model/message';
import type { ModelRequest, ToolDefinition } from '../../shared/model/request';
import type { Step, StepPart } from '../../shared/model/transcript';
import { createNewId } from '../lib/newId';
import { addCheckpoint } from '../store/checkpointRows';
import { createConversation } from '../store/conversations';
import { transaction } from '../store/database';
import { appendMessage } from '../store/messages';
import { agentNamed, cnv, makeMessage, makeStore, msg, type TestStore } from '../store/storeFixture';
import { addTranscriptStep } from '../store/transcriptSteps';
import { rememberAgent } from '../store/usedAgents';
import { type BlobStore, createBlobStore } from '../transcript/blobs';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { type AnsweringDeps, requestFor } from './answering';
import { BuiltPaths } from './builtPaths';

let test: TestStore;
let blobs: BlobStore;
let transcripts: Transcripts;
let paths: BuiltPaths;
let notices: Notice[];
const open = () => {
  test = makeStore();
  blobs = createBlobStore({ folder: join(test.folder, 'blobs'), record: () => undefined });
  transcripts = createTranscripts({ folder: join(test.folder, 'transcripts'), blobs });
  paths = new BuiltPaths();
  notices = [];
  createConversation(test.db, { id: cnv('1'), now: 1000, agentId: null as never });
};
beforeEach(open);
afterEach(() => test.remove());

const agents = [agentNamed('me'), agentNamed('you')] as const;
const tool: ToolDefinition = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
const ask = (parent: string, more: { by?: number; window?: number; tools?: ToolDefinition[] } = {}, deps: Partial<AnsweringDeps> = {}) =>
  requestFor(
    { db: test.db, blobs, transcripts, notify: (notice) => notices.push(notice), ...deps },
    {
      parentId: msg(parent),
      agent: agents[more.by ?? 0] ?? agents[0],
      model: { id: 'm', ...(more.window === undefined ? {} : { contextWindow: more.window }) },
      tools: more.tools ?? [tool],
    },
  );
/** As a step boundary leaves it. */
function addStep(name: string, parent: string, content: StepPart[], more: Partial<Message> & { results?: Step['results'] } = {}): void {
  const { results = [], ...facts } = more;
  const agentId = facts.agentId ?? agents[0].id;
  const parts = content.flatMap((part) => (part.type === 'vendor' ? [] : [part]));
  const message = makeMessage(name, parent, { role: 'assistant', agentId, turnId: 'trn_1' as TurnId, parts, ...facts });
  const step: Step = {
    id: `stp_${name}` as StepId,
    messageId: message.id,
    parentId: msg(parent),
    turnId: 'trn_1' as TurnId,
    model: 'p/m',
    content,
    results,
    createdAt: 1,
  };
  const { file } = transcripts.append({ conversationId: cnv('1'), agentId }, { type: 'step', step });
  transaction(test.db, () => {
    appendMessage(test.db, { message, tip: 'stay' });
    addTranscriptStep(test.db, { stepId: step.id, messageId: message.id, conversationId: cnv('1'), agentId, file });
  });
}
const say = (name: string, parent: string | null, more: Partial<Message> = {}) =>
  appendMessage(test.db, { message: makeMessage(name, parent, more), tip: 'stay' });

type Act = { kind: string; under: number; near: boolean; turn: number; askAt: number };
/** Adds a message `m<at>` under one of those before it, or changes what is known of them. */
function act({ kind, under, near, turn }: Act, at: number): void {
  const parent = at === 0 ? null : `m${near ? at - 1 : under % at}`;
  const turnId = `trn_${turn}` as TurnId;
  const name = `m${at}`;
  const text: StepPart = { type: 'text', text: `words of ${name}` };
  const tools: StepPart = { type: 'toolCall', callId: name, name: 'read', arguments: '{}' };
  if (parent === null || kind === 'user') say(name, parent, { turnId });
  else if (kind === 'digest') say(name, parent, { role: 'digest' });
  else if (kind === 'retold') say(name, parent, { role: 'assistant', agentId: agents[0].id, turnId });
  else if (kind === 'broken') addStep(name, parent, [text], { status: 'interrupted', turnId });
  else if (kind === 'brokenOther') say(name, parent, { role: 'assistant', agentId: agents[1].id, status: 'interrupted', turnId });
  else if (kind === 'calls') addStep(name, parent, [text, tools], { results: [{ callId: name, summary: 's', content: 'inside' }] });
  else addStep(name, parent, [text], { agentId: agents[kind === 'other' ? 1 : 0]?.id as AgentId, turnId });
}
const acts = fc.array(
  fc.record({
    kind: fc.constantFrom('user', 'digest', 'retold', 'broken', 'brokenOther', 'calls', 'own', 'other'),
    under: fc.nat(40),
    near: fc.boolean(),
    turn: fc.nat(1),
    askAt: fc.nat(40),
  }),
  { minLength: 1, maxLength: 14 },
);

describe('what is kept between requests', () => {
  it('N9, L9: always: with it the request is the one built from the start, on any branch, for any agent, and stays as it was given', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.nat(13), fc.nat(13), async (all, renameAt, markAt) => {
        test.remove();
        open();
        const given: { request: ModelRequest; text: string }[] = [];
        for (const [at, one] of all.entries()) {
          act(one, at);
          if (at === renameAt) rememberAgent(test.db, { conversationId: cnv('1'), agent: { ...agents[1], name: `You ${at}` } });
          if (at === markAt) {
            const facts = { conversationId: cnv('1'), by: 'user' as const, createdAt: 1 };
            addCheckpoint(test.db, { ...facts, messageId: msg(`m${one.askAt % (at + 1)}`), label: 'mark' });
          }
          for (const by of [0, 1]) {
            const where = one.near ? `m${at}` : `m${one.askAt % (at + 1)}`;
            const tools = one.askAt % 7 === 0 ? [] : [tool];
            const request = await ask(where, { by, tools }, { paths });
            const text = JSON.stringify(request);
            expect(text).toBe(JSON.stringify(await ask(where, { by, tools })));
            given.push({ request, text });
          }
        }
        for (const { request, text } of given) expect(JSON.stringify(request)).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it('N9: a step that was added is all that is read and built', async () => {
    say('q', null);
    addStep('a', 'q', [{ type: 'text', text: 'first' }]);
    const reads: number[] = [];
    const counted: Transcripts = {
      ...transcripts,
      steps: (place, refs) => {
        reads.push(refs.length);
        return transcripts.steps(place, refs);
      },
    };
    await ask('a', {}, { paths, transcripts: counted });
    addStep('b', 'a', [{ type: 'text', text: 'second' }]);
    say('n', 'b');
    const request = await ask('n', {}, { paths, transcripts: counted });
    expect(reads).toEqual([1, 1]);
    expect(request.messages.map(({ parts }) => parts[0])).toMatchObject([{ text: 'text of q' }, { text: 'first' }, { text: 'second' }, {}]);
  });

  it('X4: lost content is told to the model each time, and to the user once', async () => {
    const picture: ImagePart = { type: 'image', hash: 'ab'.repeat(32) as never, mime: 'image/png', name: 'cat.png', size: 1 };
    const file = { type: 'file', hash: 'cd'.repeat(32), textHash: 'cd'.repeat(32), mime: 'text/plain', name: 'a.txt', size: 1 } as never;
    say('q', null, { parts: [picture, file] });
    for (let turn = 0; turn < 2; turn++) {
      const text = JSON.stringify(await ask('q', { by: turn }, { paths }));
      expect(text).toContain('cat.png\\" is no longer in the workspace');
      expect(text).toContain('a.txt\\" is no longer in the workspace');
      expect(text).not.toMatch(/(ab){8}|(cd){8}/);
    }
    expect(notices).toEqual([{ code: 'contentLost', values: { count: 2 }, tone: 'warning' }]);
  });
});

describe('what cannot fit', () => {
  const leftOut: MessageId[] = [];
  const trimming = () => ({
    newId: createNewId(() => 5),
    now: () => 5,
    leftOut: (args: { messageIds: readonly MessageId[] }) => leftOut.push(...args.messageIds),
  });
  beforeEach(() => {
    leftOut.length = 0;
    say('q', null);
    for (let n = 0; n < 20; n++) {
      const call: StepPart = { type: 'toolCall', callId: `${n}`, name: 'read', arguments: '{}' };
      addStep(`s${n}`, n === 0 ? 'q' : `s${n - 1}`, [call], { results: [{ callId: `${n}`, summary: 's', content: 'word '.repeat(200) }] });
    }
  });

  it('X6, C4: the oldest steps are left out by a record: said, the same after a reload, and undone they are back', async () => {
    const full = JSON.stringify(await ask('s19', {}, { paths }));
    const request = await ask('s19', { window: 4000 }, { paths, trimming: trimming() });
    expect(JSON.stringify(request).length).toBeLessThan(full.length);
    expect(notices).toMatchObject([{ code: 'stepsLeftOut', values: { count: leftOut.length, agent: 'me' } }]);
    expect(leftOut.slice(0, 3)).toEqual([msg('s0'), msg('s1'), msg('s2')]);
    expect(request.messages[0]?.parts).toEqual([{ type: 'text', text: 'text of q' }]);
    const text = JSON.stringify(request);
    // Nothing is left out again while it fits, here and after a start.
    expect(JSON.stringify(await ask('s19', { window: 4000 }, { paths, trimming: trimming() }))).toBe(text);
    transcripts = createTranscripts({ folder: join(test.folder, 'transcripts'), blobs });
    expect(JSON.stringify(await ask('s19', { window: 4000 }, { trimming: trimming() }))).toBe(text);
    expect(notices).toHaveLength(1);
    const place = { conversationId: cnv('1'), agentId: agents[0].id };
    const [record] = transcripts.open(place).standing.records.values();
    expect(record).toMatchObject({
      kind: 'trim',
      anchorId: leftOut.at(-1),
      folded: leftOut,
      receipt: { trigger: 'load', turnId: 'trn_1' },
    });
    if (!record) return;
    transcripts.append(place, { type: 'undo', recordId: record.id, createdAt: 6 });
    expect(JSON.stringify(await ask('s19', {}, { paths }))).toBe(full);
  });

  it('X6: where the record cannot be written nothing is left out in silence', async () => {
    const failing: Transcripts = {
      ...transcripts,
      append: () => {
        throw new FailureError({ code: 'diskFull', message: 'full', retryable: true } satisfies Failure);
      },
    };
    await expect(ask('s19', { window: 4000 }, { transcripts: failing, trimming: trimming() })).rejects.toMatchObject({
      failure: { code: 'diskFull' },
    });
    expect(leftOut).toEqual([]);
  });

  it('X6: without a known window, or where it fits, there is no record', async () => {
    await ask('s19', {}, { trimming: trimming() });
    await ask('s19', { window: 1_000_000 }, { trimming: trimming() });
    expect(transcripts.open({ conversationId: cnv('1'), agentId: agents[0].id }).standing.records.size).toBe(0);
  });
});
