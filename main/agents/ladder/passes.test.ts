// Passes in real turns over a server that enforces a window: when they run, what they leave, and what they never do (L1, L6, L13, L14, L16).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chatCalls, chatStream } from '../../../e2e/fixtures/scripts/chat';
import { textOf } from '../../../shared/model/message';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { readPath } from '../../store/messages';
import { helper } from '../agentsFixture';
import {
  answering,
  answerOf,
  asked,
  begin,
  bodies,
  failures,
  isForCard,
  noThresholds,
  notices,
  passes,
  records,
  route,
  send,
  tipOf,
  tooManyTokens,
  turnOver,
  withWorld,
  world,
} from './passesFixture';

withWorld();

describe('before a turn', () => {
  it('L6: above 70 % of the window a pass runs before the first call, and the turn goes on with less', async () => {
    await begin();
    answering(8000, answerOf(1500));
    const id = await send('Keep the password PX-77.');
    for (let turn = 1; turn <= 6; turn++) await send(`Turn ${turn}`, id);
    const cards = records(id).filter(({ kind }) => kind === 'card');
    expect(cards.length).toBeGreaterThanOrEqual(1);
    expect(cards[0]?.receipt).toMatchObject({ trigger: 'turnStart', method: 'simple', model: 'local/m1' });
    expect(cards[0]?.receipt.tokensAfter).toBeLessThan(0.8 * 0.7 * 8000);
    expect(readPath(world.fixture.db, tipOf(id)).filter(({ role }) => role === 'assistant')).toHaveLength(7);
    const last = bodies().at(-1) ?? '';
    for (const there of ['Keep the password PX-77.', '[What you remember.', 'Turn 6']) expect(last).toContain(there);
    expect(passes(id).map(({ outcome }) => outcome)).not.toContain('failed');
    expect(world.fixture.events.some(({ type }) => type === 'context.compacted')).toBe(true);
    expect(failures(id)).toEqual([]);
  });

  it('L6, L20: the messages stay as they were; only the request is another', async () => {
    await begin();
    answering(8000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    expect(records(id).length).toBeGreaterThan(0);
    const path = readPath(world.fixture.db, tipOf(id));
    expect(path).toHaveLength(12);
    expect(path.every((message) => textOf(message).length > 2)).toBe(true);
  });

  it('L6: switched off alone, it does not run; a refusal still recovers', async () => {
    await begin({ window: 20_000, compaction: noThresholds });
    answering(6000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    expect(failures(id)).toEqual([]);
    expect(new Set(records(id).map(({ receipt }) => receipt.trigger))).toEqual(new Set(['overflow']));
    expect(world.fixture.settings.providers[0]?.models[0]?.contextWindow).toBe(20_000);
  });
});

describe('the order of rungs', () => {
  const lines = (tokens: number) => Array.from({ length: 30 }, (_, at) => words(tokens / 30, `line${at}`)).join('\n');
  const read = async (recoveryShare: number) => {
    await begin({ window: 16_000, tools: ['read_file'], compaction: { recoveryShare } });
    writeFileSync(join(world.fixture.workspace, 'a.txt'), lines(2600));
    answering(30_000, (_, nth) => {
      if (nth === 3) return chatCalls([{ id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }]);
      return chatStream([words(nth === 4 ? 8000 : 500, `a${nth}`)]);
    });
    const id = await send('One');
    await send('Two', id);
    const after = world.fixture.events.length;
    await send('Read it', id);
    await world.fixture.event(
      'stepEnded',
      (event) => event.conversationId === id && !event.goesOn && world.fixture.events.indexOf(event) >= after,
    );
    await send('Next', id);
    return records(id);
  };

  it('L1: what costs nothing goes first, and nothing more where that is enough', async () => {
    const [record, ...more] = await read(1);
    expect(record).toMatchObject({ kind: 'free', elided: [{ callId: 'c1' }], receipt: { trigger: 'turnStart' } });
    expect(more).toEqual([]);
    expect(world.server.requests.some(isForCard)).toBe(false);
  });

  it('L1, L5: the card is the last, where the free ones do not do', async () => {
    const made = await read(0.5);
    expect(made.map(({ kind, receipt }) => [kind, receipt.trigger])).toEqual([['card', 'turnStart']]);
    expect(made[0]?.body?.text).toContain('## Task');
  });
});

describe('between steps', () => {
  it('L6, X2: a run that grows past 85 % is made room for between two steps, and goes on by itself in the same turn', async () => {
    await begin({ window: 16_000, tools: ['read_file', 'run_command'] });
    for (let at = 0; at < 30; at++) writeFileSync(join(world.fixture.workspace, `f${at}.txt`), words(1500, `line${at}`));
    answering(16_000, (_, nth) => {
      const call = { id: `call_${nth}`, name: 'read_file', arguments: JSON.stringify({ path: `f${nth}.txt` }) };
      return nth <= 20 ? chatCalls([call], [words(900, `thought${nth}`)]) : chatStream(['Read them all.']);
    });
    const started = world.fixture.scheduler.start({ conversationId: null, text: 'Read all files', attachments: [], agentId: null });
    const id = started.conversationId;
    await turnOver(id);
    const path = readPath(world.fixture.db, tipOf(id));
    expect(path).toHaveLength(22);
    expect(new Set(path.map(({ turnId }) => turnId)).size).toBe(1);
    expect(failures(id)).toEqual([]);
    expect(path.every(({ status }) => status === 'complete')).toBe(true);
    expect(records(id).map(({ receipt }) => receipt.trigger)).toContain('betweenSteps');
    expect(bodies().every((body) => estimateTokens(body) <= 16_000)).toBe(true);
    const last = bodies().at(-1) ?? '';
    expect(last).toContain('Read all files');
    expect(last).toContain('line20');
    // What was read last is there in full, what was read first is a line.
    expect(last).not.toContain('line1 line1');
  });
});

describe('after a refusal', () => {
  it('L16, L7: the window is learned, one retry is made, and the answer comes', async () => {
    await begin({ window: undefined });
    answering(6000, answerOf(1200));
    const id = await send('Keep the number 4711.');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    expect(failures(id)).toEqual([]);
    expect(records(id).some(({ receipt }) => receipt.trigger === 'overflow')).toBe(true);
    const refused = asked().filter(({ body }) => estimateTokens(body) > 6000);
    expect(refused).toHaveLength(1);
  });

  it('L16, T1: refused again after the pass, the turn fails once, and nothing loops', async () => {
    await begin({ window: 100_000 });
    answering(20_000, answerOf(1200));
    const id = await send('One');
    for (let turn = 1; turn <= 3; turn++) await send(`Turn ${turn}`, id);
    const before = asked().length;
    world.server.script(route, tooManyTokens(100_000, 100_001));
    await send('More', id);
    expect(failures(id).map(({ code }) => code)).toEqual(['overflowTokens']);
    expect(asked().length - before).toBeLessThanOrEqual(2);
  });
});

describe('what cannot fit', () => {
  it('L14: a first request larger than the window is not sent; the failure says what is too big', async () => {
    await begin({ window: 4000 });
    answering(4000, answerOf(10));
    const id = await send(words(6000));
    expect(world.server.requests).toHaveLength(0);
    expect(notices()).toEqual([]);
    const [failure] = failures(id);
    expect(failure).toMatchObject({ code: 'overflowTokens', retryable: false, detail: { limit: 4000, unsent: true } });
    expect(failure?.detail?.parts?.[0]).toMatchObject({ name: 'system' });
    expect(failure?.detail?.parts?.find(({ name }) => name === 'firstRequest')?.tokens).toBeGreaterThan(5900);
  });

  it('L14: a system prompt larger than the window is said before anything is sent', async () => {
    await begin({ window: 4000 });
    world.fixture.settings.agents[0] = { ...helper, systemPrompt: words(5000) };
    answering(4000, answerOf(10));
    const id = await send('Hi');
    expect(world.server.requests).toHaveLength(0);
    expect(failures(id)[0]?.detail?.parts?.[0]).toMatchObject({ name: 'system' });
  });

  it('L14: where only the room for the answer is too big, it is lowered', async () => {
    await begin({ window: 4000 });
    world.fixture.settings.agents[0] = { ...helper, parameters: { maxOutput: 3500 } };
    answering(4000, answerOf(10));
    await send(words(2000));
    const sent = JSON.parse(bodies()[0] ?? '{}') as Record<string, number>;
    const asked = sent['max_tokens'] ?? sent['max_completion_tokens'] ?? 0;
    expect(asked).toBeGreaterThan(1000);
    expect(asked).toBeLessThan(2000);
  });

  it('L13: a line passed with nothing to fold says once what is too big, and does not try again for every step', async () => {
    await begin({ window: 8000 });
    answering(8000, answerOf(40));
    const id = await send(words(5900));
    await send('And?', id);
    await send('So?', id);
    expect(notices().filter((code) => code === 'contextThrash').length).toBeLessThanOrEqual(3);
    expect(failures(id)).toEqual([]);
    expect(passes(id).map(({ outcome }) => outcome)).not.toContain('failed');
  });
});
