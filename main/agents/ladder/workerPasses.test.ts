// Passes with a worker, in real turns: what its choice becomes in the next requests and the next passes, and that nothing else of it stays (M5, M6).
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hang, type Recorded, type ScriptedServer, type Step, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { RunningPass } from '../../../shared/model/memoryView';
import { estimateTokens } from '../../context/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { getConversation } from '../../store/conversations';
import { readPath } from '../../store/messages';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(async () => {
  await fixture.close();
  await server.close();
  fixture.remove();
});

type Setup = { window?: number; compaction?: CompactionSettings; tools?: string[] };
async function begin({ window = 100_000, compaction = {}, tools = ['read_file'] }: Setup = {}): Promise<void> {
  fixture = await makeTurnFixture(`${server.url}/v1`, {
    agents: [{ ...helper, tools, approval: 'auto-edit' }],
    compaction: { retainedTokens: 2000, retainedEnough: 500, ...compaction },
  });
  Object.assign(fixture.settings.providers[0] ?? {}, { models: [{ id: 'm1', contextWindow: window, maxOutput: 500 }] });
}
const put = (name: string, text: string) => writeFileSync(join(fixture.workspace, name), text);

const card = '## Task\nAnswer the turns.\n\n## User directives\n- "Read the files"\n\n## Next step\nGo on.';
type Call = [name: string, args: object];
const calls = (...all: Call[]): Step[] =>
  chatCalls(all.map(([name, args], at) => ({ id: `w${at}`, name, arguments: JSON.stringify(args) })));
const isForCard = ({ body }: Pick<Recorded, 'body'>) => body.includes('You keep the state card');
const isOfWorker = (request: Recorded) => isForCard(request) && request.body.includes('write_summary');
const bodies = () => server.requests.filter((request) => !isForCard(request)).map(({ body }) => body);
/** What the last request says, as text. */
const lastSaid = () => {
  const { messages } = JSON.parse(bodies().at(-1) ?? '{}') as { messages: { content: unknown }[] };
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n');
};

/** Reads the files that are told, one a step; answers at length. The worker does as `worker` says, in one step. */
function answering(files: string[], worker: (request: Recorded) => Step[]): void {
  const left = [...files];
  server.script(route, (request) => {
    if (isForCard(request) && !isOfWorker(request)) return chatStream([card]);
    if (isForCard(request)) return request.body.includes('The card is kept') ? chatStream(['done']) : worker(request);
    const path = left.shift();
    if (path === undefined) return chatStream([words(1200, 'answer')]);
    return chatCalls([{ id: `call_${path}`, name: 'read_file', arguments: JSON.stringify({ path }) }], [words(700, 'thought')]);
  });
}
const chooses =
  (...all: Call[]) =>
  () =>
    calls(...all, ['write_summary', { card }]);

async function send(text: string, conversationId: ConversationId | null = null): Promise<ConversationId> {
  const from = fixture.events.length;
  const started = fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
  await fixture.event('stepEnded', (event) => !event.goesOn && fixture.events.indexOf(event) >= from);
  return started.conversationId;
}
const where = (conversationId: ConversationId) => ({ conversationId, agentId: null });
const compact = (id: ConversationId) => fixture.memory.compact(where(id), { rung: 'summary', focus: null }, new AbortController().signal);
const tipOf = (id: ConversationId) => getConversation(fixture.db, id)?.tipId as MessageId;
const records = (conversationId: ConversationId): MemoryRecord[] => [
  ...fixture.transcripts.open({ conversationId, agentId: helper.id }).standing.records.values(),
];
const bodyOf = (id: ConversationId) => records(id).at(-1)?.body;

describe('what a worker chose', () => {
  it('M6: contents as they were at the pass and references stand in the next request, also after a restart and a change of the file', async () => {
    await begin();
    put('a.ts', 'one\ntwo\nthree\n');
    put('b.ts', 'const b = 2;\n');
    answering(
      ['a.ts', 'b.ts'],
      chooses(['mark_read_required', { path: 'a.ts', offset: 2, limit: 1 }], ['add_reference', { path: 'b.ts', why: 'holds b' }]),
    );
    const id = await send('Read the files');
    await send('And?', id);
    expect(await compact(id)).toMatchObject({ type: 'done', receipt: { record: { receipt: { method: 'worker', model: 'local/m1' } } } });
    expect(bodyOf(id)).toMatchObject({
      files: [{ path: 'a.ts', text: '2\ttwo', from: 2, to: 2 }],
      references: [{ path: 'b.ts', why: 'holds b' }],
    });
    put('a.ts', 'changed\n');
    await send('More', id);
    const said = lastSaid();
    expect(said).toContain('[Auto-read file: a.ts:2-2]\n2\ttwo');
    expect(said).toContain(
      '[Referenced files — read before compaction, contents not included]\n- b.ts (holds b)\nUse read_file to read one again.',
    );
    fixture = await fixture.restart();
    await send('Again', id);
    expect(
      bodies()
        .at(-1)
        ?.startsWith((bodies().at(-2) ?? '').split('"stream"')[0]?.slice(0, -3) ?? 'x'),
    ).toBe(true);
  });

  it('M5: nothing of it reaches the conversation; what it spent is summed in the receipt, and the person sees where it is', async () => {
    await begin();
    Object.assign(fixture.settings.providers[0]?.models[0] ?? {}, { inputPrice: 1, outputPrice: 2 });
    put('a.ts', 'one\n');
    answering(['a.ts'], chooses(['mark_read_required', { path: 'a.ts' }]));
    const id = await send('Read the files');
    for (const turn of ['And?', 'So?', 'Then?']) await send(turn, id);
    const path = readPath(fixture.db, tipOf(id));
    const steps = fixture.events.filter(({ type }) => type === 'stepEnded').length;
    await compact(id);
    expect(readPath(fixture.db, tipOf(id))).toEqual(path);
    expect(fixture.events.filter(({ type }) => type === 'stepEnded')).toHaveLength(steps);
    expect(JSON.stringify(fixture.events)).not.toContain('mark_read_required');
    const [record] = records(id);
    expect(JSON.stringify(record)).not.toContain('write_summary');
    expect(record?.receipt).toMatchObject({ spent: { input: 12, output: 1 }, cost: 14 / 1_000_000 });
    const passes = fixture.events.flatMap((event) => (event.type === 'passChanged' ? [event.pass] : []));
    expect(passes.flatMap((pass) => pass?.worker ?? []).map(({ step }) => step)).toEqual([1, 2]);
  });

  it('M6: over the tokens of the rebuilt context, files become references, the last marked first', async () => {
    await begin({ compaction: { rebuiltTokens: 1_100 } });
    put('a.ts', words(300, 'alpha'));
    put('b.ts', words(300, 'beta'));
    put('c.ts', words(300, 'gamma'));
    answering(['a.ts', 'b.ts', 'c.ts'], chooses(...['b.ts', 'a.ts', 'c.ts'].map((path): Call => ['mark_read_required', { path }])));
    const id = await send('Read the files');
    await send('And?', id);
    await compact(id);
    const body = bodyOf(id);
    expect(body?.files.map(({ path }) => path)).toEqual(['b.ts', 'a.ts']);
    expect(body?.references).toEqual([{ path: 'c.ts', why: 'to be read again' }]);
    await send('More', id);
    expect(lastSaid()).not.toContain('gamma gamma');
  });

  it('M6: to the next pass they are the past: named while they are there, replaced by what was touched since, never many', async () => {
    await begin();
    const names = Array.from({ length: 12 }, (_, at) => `f${at}.ts`);
    for (const name of names) put(name, `const x = '${name}';\n`);
    answering(
      names,
      chooses(
        ['mark_read_required', { path: 'f0.ts' }],
        ...names.slice(1, 4).map((path): Call => ['add_reference', { path, why: 'chosen' }]),
      ),
    );
    const id = await send('Read the files');
    await send('And?', id);
    await compact(id);
    expect(bodyOf(id)?.references.map(({ path }) => path)).toEqual([
      'f1.ts',
      'f2.ts',
      'f3.ts',
      'f11.ts',
      'f10.ts',
      'f9.ts',
      'f8.ts',
      'f7.ts',
    ]);
    rmSync(join(fixture.workspace, 'f1.ts'));
    for (const turn of ['More', 'And more', 'Yet more']) await send(turn, id);
    await compact(id);
    expect(records(id)).toHaveLength(2);
    // Nothing was touched since: one call, no worker.
    expect(bodyOf(id)?.files).toEqual([]);
    expect(bodyOf(id)?.references.map(({ path }) => path)).toEqual(['f0.ts', 'f2.ts', 'f3.ts', 'f11.ts', 'f10.ts']);
    expect(records(id).at(-1)?.receipt.method).toBe('simple');
  });
});

describe('which way a card is made', () => {
  const run = async (setup: Setup, files = ['a.ts']) => {
    await begin(setup);
    put('a.ts', 'one\n');
    answering(files, chooses());
    const id = await send('Read the files');
    for (const turn of ['And?', 'So?', 'Then?']) await send(turn, id);
    await compact(id);
    return records(id).at(-1)?.receipt.method;
  };

  it.each([
    ['file tools and touched files', { tools: ['read_file'] }, ['a.ts'], 'worker'],
    ['no touched files', { tools: ['read_file'] }, [], 'simple'],
    ['the settings say simple', { compaction: { summaryMode: 'simple' } }, ['a.ts'], 'simple'],
    ['the settings say worker', { tools: [], compaction: { summaryMode: 'worker' } }, [], 'worker'],
  ] as const)('M5: %s', async (_, { ...setup }, files, method) => {
    expect(await run({ ...setup, tools: [...('tools' in setup ? setup.tools : ['read_file'])] }, [...files])).toBe(method);
  });

  it('L16: after a refusal as too large it is one call over the digest, whatever the settings say', async () => {
    await begin({ window: 100_000, compaction: { summaryMode: 'worker' } });
    put('a.ts', 'one\n');
    let step = 0;
    server.script(route, (request) => {
      if (isForCard(request)) return chatStream([card]);
      if (estimateTokens(request.body) > 6_000)
        return chatError(400, "This model's maximum context length is 6000 tokens. However, you requested 6100 tokens.");
      return ++step === 1 ? calls(['read_file', { path: 'a.ts' }]) : chatStream([words(1200, 'answer')]);
    });
    const id = await send('Read the files');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const methods = records(id).flatMap(({ receipt }) => (receipt.trigger === 'overflow' ? [receipt.method] : []));
    expect(methods[0]).toBe('simple');
    const [first] = server.requests.filter(isForCard);
    expect(first?.json).not.toHaveProperty('tools');
  });

  it('R4, L11: stopped while it works, the pass leaves no record', async () => {
    await begin();
    put('a.ts', 'one\n');
    answering(['a.ts'], () => [hang()]);
    const id = await send('Read the files');
    for (const turn of ['And?', 'So?', 'Then?']) await send(turn, id);
    const end = compact(id);
    await fixture.event('passChanged', ({ pass }) => (pass as RunningPass | null)?.worker?.step === 1);
    await fixture.memory.stop(where(id));
    expect(await end).toEqual({ type: 'stopped' });
    expect(records(id)).toEqual([]);
  });
});

describe('without key and network', () => {
  it.each(['demo-large', 'demo'])(
    'P1, M5: %s plays the worker: it reads, marks one file, names another and hands the card in',
    async (model) => {
      await begin();
      fixture.settings.agents[0] = { ...helper, model: `demo/${model}`, tools: ['read_file'], approval: 'auto-edit' };
      put('a.ts', 'one\ntwo\n');
      put('b.ts', 'const b = 2;\n');
      const id = await send('read b.ts and a.ts');
      for (const turn of ['write 900 words fast', 'write 700 words fast', 'write 500 words fast']) await send(turn, id);
      expect(await compact(id)).toMatchObject({
        type: 'done',
        receipt: { record: { receipt: { method: 'worker', model: `demo/${model}`, cost: 0 } } },
      });
      expect(bodyOf(id)).toMatchObject({
        text: expect.stringContaining('Asked first: write 900 words fast'),
        files: [{ path: 'a.ts', text: '1\tone\n2\ttwo' }],
        references: [{ path: 'b.ts', why: 'touched just before' }],
      });
    },
  );
});
