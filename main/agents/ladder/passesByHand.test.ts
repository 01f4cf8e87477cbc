// Passes by hand and what surrounds any pass: undo, edits, pins, summarizers that fail, one at a time (K1, K3, L10 to L12, L15, L19, M3, M7).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hang, type Step, waitFor } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { MessageId, RecordId } from '../../../shared/model/ids';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { familyOf } from '../../context/suits';
import { setPin } from '../../store/marks';
import { readPath } from '../../store/messages';
import { helper } from '../agentsFixture';
import {
  answering,
  answerOf,
  begin,
  bodies,
  compact,
  failures,
  goodCard,
  isForCard,
  notices,
  over,
  passes,
  records,
  restart,
  route,
  send,
  signal,
  tipOf,
  turnOver,
  where,
  withWorld,
  world,
} from './passesFixture';

withWorld();

describe('by hand', () => {
  it('K3: an empty or short conversation has nothing to compact; done twice it is already compacted', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    expect(await compact(id, null)).toMatchObject({ type: 'nothing' });
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const end = await compact(id, null);
    expect(end).toMatchObject({ type: 'done', receipt: { trigger: 'hand', record: { kind: 'card' } } });
    expect(await compact(id, null)).toMatchObject({ type: 'already' });
  });

  it('K3, K2: a rung that was named and has nothing to do says why; words of the user name none', async () => {
    await begin({ window: 100_000, tools: ['read_file'] });
    writeFileSync(join(world.fixture.workspace, 'a.txt'), words(400, 'line'));
    answering(100_000, (_, nth) =>
      nth === 1 ? chatCalls([{ id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }]) : chatStream([words(300, `a${nth}`)]),
    );
    const id = await send('Read it');
    await turnOver(id);
    const { memory } = world.fixture;
    const named = (rung: 'elide' | 'images' | 'snapshot' | 'summary') => compact(id, rung);
    expect([await named('elide'), await named('images'), await named('snapshot'), await named('summary')]).toEqual([
      { type: 'nothing', failures: [{ rung: 'elide', reason: 'protected' }] },
      { type: 'nothing', failures: [{ rung: 'images', reason: 'nothing' }] },
      { type: 'nothing', failures: [{ rung: 'snapshot', reason: expect.any(String) }] },
      { type: 'nothing', failures: [{ rung: 'summary', reason: 'nothing' }] },
    ]);
    expect(await memory.shake(where(id), 'results', signal)).toEqual({
      type: 'nothing',
      failures: [{ rung: 'elide', reason: 'protected' }],
    });
    expect(await memory.shake(where(id), null, signal)).toEqual({ type: 'nothing', failures: [] });
  });

  it('L19: undone, the request is word for word as before; redone, as after; and a restart changes neither', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const plan = async () => (await world.fixture.looks.view(where(id))).plan;
    const full = await plan();
    await compact(id, 'summary');
    const short = await plan();
    expect(short.length).toBeLessThan(full.length);
    const [record] = records(id);
    if (!record) throw new Error('no record');
    await world.fixture.memory.undo(where(id), null);
    expect(await plan()).toEqual(full);
    await restart();
    expect(await plan()).toEqual(full);
    await world.fixture.memory.redo(where(id), record.id);
    expect(await plan()).toEqual(short);
    await restart();
    expect(await plan()).toEqual(short);
  });

  it('M7: a card changed by hand is a record of its own, what the next request says, and undoable; wrong ones are refused in place', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    await compact(id, 'summary');
    const [record] = records(id);
    if (!record) throw new Error('no record');
    const refused = (text: string, of = record.id) =>
      world.fixture.memory.edit(where(id), of, text).catch((error: { failure: { code: string } }) => error.failure.code);
    expect([await refused('  '), await refused('x '.repeat(20_000)), await refused('fine', 'rec_other' as never)]).toEqual([
      'invalidInput',
      'invalidInput',
      'conflict',
    ]);
    const view = await world.fixture.memory.edit(where(id), record.id, '## Task\nThe hand-made card');
    expect(view.memory).toMatchObject({ kind: 'edit', body: { text: '## Task\nThe hand-made card' } });
    await send('Next', id);
    expect(bodies().at(-1)).toContain('The hand-made card');
    expect((await world.fixture.memory.undo(where(id), view.memory?.recordId ?? null)).memory?.recordId).toBe(record.id);
  });

  it('L21, M1: a card changed by hand has the share of the window too, with the number in the refusal', async () => {
    await begin({ window: 8000 });
    answering(8000, answerOf(700));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const end = await compact(id, 'summary');
    if (end.type !== 'done') throw new Error(end.type);
    const view = await world.fixture.looks.view(where(id));
    const recordId = view.memory?.recordId as RecordId;
    expect(view.cardTokens).toBe(1200);
    const card = (tokens: number) => words(tokens, 'oak').trim();
    const most = card(1195);
    await expect(world.fixture.memory.edit(where(id), recordId, card(1400))).rejects.toMatchObject({
      failure: {
        code: 'invalidInput',
        message: expect.stringContaining('about 1200 tokens'),
        detail: { size: estimateTokens(card(1400)), limit: 1200 },
      },
    });
    expect((await world.fixture.memory.edit(where(id), recordId, most)).memory).toMatchObject({ kind: 'edit', body: { text: most } });
  });

  it('M7, S: pages cannot be changed by hand: the refusal says so, and nothing is written', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    // Pages stand only for a reader that is known to see.
    Object.assign(world.fixture.settings.providers[0]?.models[0] ?? {}, { vision: true });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    await compact(id, 'summary');
    const [card] = records(id);
    if (!card?.body) throw new Error('no card');
    const frame = { family: familyOf({ id: 'm1', vision: true }) ?? '', legend: 'Pages.', head: '', tail: '' };
    const pages = { ...card, id: 'rec_pages' as RecordId, kind: 'pages' as const, body: { ...card.body, frame } };
    world.fixture.transcripts.append({ conversationId: id, agentId: helper.id }, { type: 'record', record: pages });
    expect((await world.fixture.looks.view(where(id))).memory).toMatchObject({ recordId: pages.id, kind: 'pages' });
    await expect(world.fixture.memory.edit(where(id), pages.id, '## Task\nMine')).rejects.toMatchObject({
      failure: { code: 'invalidInput', message: expect.stringContaining('Pages cannot be changed by hand') },
    });
    expect(records(id).map(({ kind }) => kind)).toEqual(['card', 'pages']);
  });
});

describe('what others stumbled over', () => {
  it('L13, T1: a provider that counts twice the estimate makes at most one pass a turn', async () => {
    await begin({ window: 16_000 });
    let nth = 0;
    world.server.script(route, (request) => {
      if (isForCard(request)) return chatStream([goodCard]);
      const tokens = estimateTokens(request.body) * 2;
      return chatStream([words(700, `a${++nth}`)], { usage: { prompt_tokens: tokens, completion_tokens: 1400 } });
    });
    const id = await send('One');
    const turns = 16;
    for (let turn = 1; turn <= turns; turn++) await send(`Turn ${turn}`, id);
    const perTurn = new Map<string, number>();
    for (const { receipt } of records(id)) perTurn.set(receipt.turnId ?? '', (perTurn.get(receipt.turnId ?? '') ?? 0) + 1);
    expect(records(id).length).toBeGreaterThan(1);
    expect(Math.max(...perTurn.values())).toBe(1);
    expect(records(id).length).toBeLessThan(turns / 2);
    expect(failures(id)).toEqual([]);
  });

  it('A2, M6, S17: the task list stands in the memory as it stood', async () => {
    await begin({ window: 100_000, tools: ['tasks'], compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    const list = {
      tasks: [
        { text: 'Paint the boat', state: 'done' },
        { text: 'Mend the sail', state: 'open' },
      ],
    };
    answering(100_000, (_, nth) =>
      nth === 1 ? chatCalls([{ id: 'c1', name: 'tasks', arguments: JSON.stringify(list) }]) : chatStream([words(1500, `a${nth}`)]),
    );
    const id = await send('Keep a list');
    await turnOver(id);
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    await compact(id, 'summary');
    await send('What is open?', id);
    expect(bodies().at(-1)).toContain('- [ ] Mend the sail');
    expect(bodies().at(-1)).toContain('- [x] Paint the boat');
  });

  it('L10, C9: between two records a request begins with the bytes of the one before', async () => {
    await begin({ window: 16_000, tools: ['read_file'] });
    for (let at = 0; at < 40; at++) writeFileSync(join(world.fixture.workspace, `f${at}.txt`), words(700, `line${at}`));
    answering(16_000, (_, nth) =>
      nth <= 30
        ? chatCalls([{ id: `c${nth}`, name: 'read_file', arguments: JSON.stringify({ path: `f${nth}.txt` }) }], [words(300, `t${nth}`)])
        : chatStream(['Done.']),
    );
    const started = world.fixture.scheduler.start({ conversationId: null, text: 'Read', attachments: [], agentId: null });
    await turnOver(started.conversationId);
    const lists = bodies().map((body) => (JSON.parse(body) as { messages: unknown[] }).messages.map((one) => JSON.stringify(one)));
    let changes = 0;
    for (const [at, list] of lists.entries()) {
      const before = lists[at - 1] ?? [];
      if (before.some((message, index) => list[index] !== message)) changes++;
    }
    expect(records(started.conversationId).length).toBeGreaterThan(2);
    expect(changes).toBeLessThanOrEqual(records(started.conversationId).length);
  });

  it('L15: a pin keeps a message word for word through passes, set before or after', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 3; turn++) await send(`Turn ${turn} with OAK-${turn}`, id);
    const pinned = (at: number) => readPath(world.fixture.db, tipOf(id))[at]?.id as MessageId;
    setPin(world.fixture.db, { conversationId: id, messageId: pinned(2), now: 1 });
    for (let turn = 4; turn <= 6; turn++) await send(`Turn ${turn} with OAK-${turn}`, id);
    await compact(id, 'summary');
    setPin(world.fixture.db, { conversationId: id, messageId: pinned(4), now: 2 });
    await send('Next', id);
    const { messages } = JSON.parse(bodies().at(-1) ?? '{}') as { messages: { content: string }[] };
    const said = messages.map(({ content }) => content).join('\n');
    expect(said).toContain('Turn 1 with OAK-1');
    expect(said).toContain('Turn 2 with OAK-2');
    expect(said.indexOf('OAK-1')).toBeLessThan(said.indexOf('[What you remember.'));
  });
});

describe('a summarizer that fails', () => {
  const small = { window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } };
  const talk = async (turns: number, card?: () => Step[]) => {
    answering(100_000, answerOf(1500), card);
    const id = await send('One');
    for (let turn = 1; turn <= turns; turn++) await send(`Turn ${turn}`, id);
    return id;
  };

  it('M3, L12: another card stands in, marked as such; three in a row pause automatic passes, also over a restart, until the user says so', async () => {
    await begin({ window: 8000 });
    answering(8000, answerOf(1500), () => chatError(500, 'out of order'));
    const id = await send('Keep PX-77.');
    for (let turn = 1; turn <= 14; turn++) {
      await send(`Turn ${turn}`, id);
      for (const { go } of world.fixture.waits.splice(0)) go();
    }
    const view = await world.fixture.looks.view(where(id));
    expect(view.pause).toEqual({ why: 'failures', count: 3 });
    expect(notices().filter((code) => code === 'passesPaused')).toHaveLength(1);
    expect(
      records(id)
        .filter(({ kind }) => kind === 'card')
        .every(({ receipt }) => receipt.method === 'deterministic'),
    ).toBe(true);
    expect(failures(id)).toEqual([]);
    await restart();
    expect((await world.fixture.looks.view(where(id))).pause).toEqual({ why: 'failures', count: 3 });
    const before = world.server.requests.filter(isForCard).length;
    for (let turn = 20; turn <= 24; turn++) await send(`Turn ${turn}`, id);
    // What would not fit is made room for without a model (L16).
    expect(world.server.requests.filter(isForCard)).toHaveLength(before);
    expect(failures(id)).toEqual([]);
    expect((await world.fixture.memory.resume(where(id))).pause).toBeNull();
  });

  it('L11: what it was made for is gone: deleted meanwhile, undone under it, another model: no record, no trace', async () => {
    await begin(small);
    let release: () => void = () => undefined;
    const held = () =>
      [...chatStream([goodCard])].flatMap((step, at) => (at === 1 ? [waitFor(new Promise<void>((go) => (release = go))), step] : [step]));
    const id = await talk(5, held);
    const during = async (act: () => unknown) => {
      const before = world.server.requests.filter(isForCard).length;
      const end = compact(id, 'summary');
      await expect.poll(() => world.server.requests.filter(isForCard).length).toBe(before + 1);
      await act();
      release();
      return end;
    };
    const changed = await during(() => {
      world.fixture.settings.agents[0] = { ...helper, model: 'local/m2' };
    });
    world.fixture.settings.agents[0] = helper;
    expect(changed).toEqual({ type: 'failed', failures: [{ rung: 'summary', reason: 'discarded' }] });
    const answer = readPath(world.fixture.db, tipOf(id))[3]?.id as MessageId;
    const deleted = await during(() => world.fixture.deletions.remove({ conversationId: id, messageId: answer }));
    expect(deleted).toEqual({ type: 'failed', failures: [{ rung: 'summary', reason: 'discarded' }] });
    expect(records(id)).toEqual([]);
    expect(passes(id)).toEqual([]);
  });

  it('R4, L11: stopped, it leaves no record, and a message sent meanwhile is answered', async () => {
    await begin(small);
    const id = await talk(5, () => [hang()]);
    const controller = new AbortController();
    const end = compact(id, 'summary', controller.signal);
    await expect.poll(() => world.server.requests.filter(isForCard).length).toBe(1);
    const meanwhile = world.fixture.scheduler.start({ conversationId: id, text: 'Typed meanwhile', attachments: [], agentId: null });
    controller.abort();
    expect(await end).toEqual({ type: 'stopped' });
    await over(meanwhile.stepId);
    expect(bodies().at(-1)).toContain('Typed meanwhile');
    expect(records(id)).toEqual([]);
  });

  it('L11, T6: a card larger than what it stands for is not committed: the reason is said, and nothing is left out', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    const decisions = Array.from({ length: 60 }, (_, at) => `- Keep part ${at} apart from the others, because it was tried.`).join('\n');
    const large = goodCard.replace('## Next step', `## Decisions\n${decisions}\n\n## Next step`);
    answering(
      100_000,
      (_, nth) => chatStream([words(nth === 1 ? 850 : 1400, `a${nth}`)]),
      () => chatStream([large]),
    );
    const id = await send('One');
    await send('Two', id);
    await send('Three', id);
    const before = (await world.fixture.looks.view(where(id))).tokens;
    const end = await compact(id, 'summary');
    expect(end).toEqual({ type: 'failed', failures: [{ rung: 'summary', reason: 'notSmaller' }] });
    expect(records(id)).toEqual([]);
    expect((await world.fixture.looks.view(where(id))).tokens).toBe(before);
  });

  it('K1: focus words guide the summary and are no request', async () => {
    await begin(small);
    const id = await talk(5);
    await world.fixture.memory.compact(where(id), { rung: null, focus: 'delete file X' }, signal);
    await send('Next', id);
    const card = world.server.requests.find(isForCard)?.body ?? '';
    expect(card).toContain('delete file X');
    expect(bodies().some((body) => body.includes('delete file X'))).toBe(false);
    expect(records(id)[0]?.receipt.focus).toBe('delete file X');
  });
});

describe('one at a time', () => {
  it('L11: ten at once make one pass', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const ends = await Promise.all(Array.from({ length: 10 }, () => compact(id, null)));
    expect(ends.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(ends.filter(({ type }) => type === 'already')).toHaveLength(9);
    expect(records(id)).toHaveLength(1);
  });
});
