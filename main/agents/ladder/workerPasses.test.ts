// Passes with a worker, in real turns: what its choice becomes in the next requests and the next passes, and that nothing else of it stays (M5, M6).
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hang } from '../../../e2e/fixtures/scriptedServer';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { RunningPass } from '../../../shared/model/memoryView';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { readPath } from '../../store/messages';
import { helper } from '../agentsFixture';
import {
  begin as beginWorld,
  bodies,
  compact,
  isForCard,
  records,
  restart,
  route,
  type Setup,
  tipOf,
  tooManyTokens,
  where,
  withWorld,
  world,
} from './passesFixture';
import { bodyOf, type Call, calls, chooses, lastSaid, put, reads, turn as send, workerCard, working } from './workerPassesFixture';

withWorld();
const begin = ({ compaction, ...more }: Setup = {}) =>
  beginWorld({
    window: 100_000,
    tools: ['read_file'],
    approval: 'auto-edit',
    ...more,
    compaction: { retainedTokens: 2000, retainedEnough: 500, ...compaction },
  });

describe('what a worker chose', () => {
  it('M6: contents as they were at the pass and references stand in the next request, also after a restart and a change of the file', async () => {
    await begin();
    put('a.ts', 'one\ntwo\nthree\n');
    put('b.ts', 'const b = 2;\n');
    working(
      reads('a.ts', 'b.ts'),
      chooses(['mark_read_required', { path: 'a.ts', offset: 2, limit: 1 }], ['add_reference', { path: 'b.ts', why: 'holds b' }]),
    );
    const id = await send('Read the files');
    await send('And?', id);
    expect(await compact(id, 'summary')).toMatchObject({
      type: 'done',
      receipt: { record: { receipt: { method: 'worker', model: 'local/m1' } } },
    });
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
    await restart();
    await send('Again', id);
    expect(
      bodies()
        .at(-1)
        ?.startsWith((bodies().at(-2) ?? '').split('"stream"')[0]?.slice(0, -3) ?? 'x'),
    ).toBe(true);
  });

  it('M5: nothing of it reaches the conversation; what it spent is summed in the receipt, and the person sees where it is', async () => {
    await begin();
    Object.assign(world.fixture.settings.providers[0]?.models[0] ?? {}, { inputPrice: 1, outputPrice: 2 });
    put('a.ts', 'one\n');
    working(reads('a.ts'), chooses(['mark_read_required', { path: 'a.ts' }]));
    const id = await send('Read the files');
    for (const turn of ['And?', 'So?', 'Then?']) await send(turn, id);
    const path = readPath(world.fixture.db, tipOf(id));
    const steps = world.fixture.events.filter(({ type }) => type === 'stepEnded').length;
    await compact(id, 'summary');
    expect(readPath(world.fixture.db, tipOf(id))).toEqual(path);
    expect(world.fixture.events.filter(({ type }) => type === 'stepEnded')).toHaveLength(steps);
    expect(JSON.stringify(world.fixture.events)).not.toContain('mark_read_required');
    const [record] = records(id);
    expect(JSON.stringify(record)).not.toContain('write_summary');
    expect(record?.receipt).toMatchObject({ spent: { input: 12, output: 1 }, cost: 14 / 1_000_000 });
    const passes = world.fixture.events.flatMap((event) => (event.type === 'passChanged' ? [event.pass] : []));
    expect(passes.flatMap((pass) => pass?.worker ?? []).map(({ step }) => step)).toEqual([1, 2]);
  });

  it('M6: over the tokens of the rebuilt context, files become references, the last marked first', async () => {
    await begin({ compaction: { rebuiltTokens: 1_100 } });
    put('a.ts', words(300, 'alpha'));
    put('b.ts', words(300, 'beta'));
    put('c.ts', words(300, 'gamma'));
    working(reads('a.ts', 'b.ts', 'c.ts'), chooses(...['b.ts', 'a.ts', 'c.ts'].map((path): Call => ['mark_read_required', { path }])));
    const id = await send('Read the files');
    await send('And?', id);
    await compact(id, 'summary');
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
    working(
      reads(...names),
      chooses(
        ['mark_read_required', { path: 'f0.ts' }],
        ...names.slice(1, 4).map((path): Call => ['add_reference', { path, why: 'chosen' }]),
      ),
    );
    const id = await send('Read the files');
    await send('And?', id);
    await compact(id, 'summary');
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
    rmSync(join(world.fixture.workspace, 'f1.ts'));
    for (const turn of ['More', 'And more', 'Yet more']) await send(turn, id);
    await compact(id, 'summary');
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
    working(reads(...files), chooses());
    const id = await send('Read the files');
    for (const turn of ['And?', 'So?', 'Then?']) await send(turn, id);
    await compact(id, 'summary');
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
    world.server.script(route, (request) => {
      if (isForCard(request)) return chatStream([workerCard]);
      if (estimateTokens(request.body) > 6_000) return tooManyTokens(6000, 6100);
      return ++step === 1 ? calls(['read_file', { path: 'a.ts' }]) : chatStream([words(1200, 'answer')]);
    });
    const id = await send('Read the files');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const methods = records(id).flatMap(({ receipt }) => (receipt.trigger === 'overflow' ? [receipt.method] : []));
    expect(methods[0]).toBe('simple');
    const [first] = world.server.requests.filter(isForCard);
    expect(first?.json).not.toHaveProperty('tools');
  });

  it('R4, L11: stopped while it works, the pass leaves no record', async () => {
    await begin();
    put('a.ts', 'one\n');
    working(reads('a.ts'), () => [hang()]);
    const id = await send('Read the files');
    for (const turn of ['And?', 'So?', 'Then?']) await send(turn, id);
    const end = compact(id, 'summary');
    await world.fixture.event('passChanged', ({ pass }) => (pass as RunningPass | null)?.worker?.step === 1);
    await world.fixture.memory.stop(where(id));
    expect(await end).toEqual({ type: 'stopped' });
    expect(records(id)).toEqual([]);
  });
});

describe('without key and network', () => {
  it.each(['demo-large', 'demo'])(
    'P1, M5: %s plays the worker: it reads, marks one file, names another and hands the card in',
    async (model) => {
      await begin();
      world.fixture.settings.agents[0] = { ...helper, model: `demo/${model}`, tools: ['read_file'], approval: 'auto-edit' };
      put('a.ts', 'one\ntwo\n');
      put('b.ts', 'const b = 2;\n');
      const id = await send('read b.ts and a.ts');
      for (const turn of ['write 900 words fast', 'write 700 words fast', 'write 500 words fast']) await send(turn, id);
      expect(await compact(id, 'summary')).toMatchObject({
        type: 'done',
        receipt: { record: { receipt: { method: 'worker', model: `demo/${model}`, cost: 0 } } },
      });
      expect(bodyOf(id)).toMatchObject({
        text: expect.stringContaining('Asked first: read b.ts and a.ts'),
        files: [{ path: 'a.ts', text: '1\tone\n2\ttwo' }],
        references: [{ path: 'b.ts', why: 'touched just before' }],
      });
    },
  );
});
