// Passes in real turns over a server that enforces a window: when they run, what they leave, and what they never do (L6, L11 to L14, L16, L19).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hang, type Recorded, type ScriptedServer, type Step, startScriptedServer, waitFor } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { textOf } from '../../../shared/model/message';
import type { UserSettings } from '../../../shared/model/settings';
import { estimateTokens } from '../../context/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { getConversation } from '../../store/conversations';
import { listFailedTurns } from '../../store/liveSteps';
import { setPin } from '../../store/marks';
import { readPath } from '../../store/messages';
import { passReceiptsOf } from '../../store/passReceipts';
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

type Setup = { window?: number | undefined; compaction?: CompactionSettings; tools?: string[] };
async function begin({ compaction = {}, tools = [], ...rest }: Setup = {}): Promise<void> {
  const settings: Partial<UserSettings> = { agents: [{ ...helper, tools }], compaction };
  fixture = await makeTurnFixture(`${server.url}/v1`, settings);
  Object.assign(fixture.settings.providers[0] ?? {}, {
    models: [
      { id: 'm1', maxOutput: 500, ...('window' in rest ? (rest.window ? { contextWindow: rest.window } : {}) : { contextWindow: 8000 }) },
    ],
  });
}

const send = async (text: string, conversationId: ConversationId | null = null) => {
  const started = fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
  await over(started.stepId);
  return started.conversationId;
};
const over = (stepId: unknown) => fixture.event('stepEnded', (event) => event.stepId === stepId);
const turnOver = (conversationId: ConversationId) =>
  fixture.event('stepEnded', (event) => event.conversationId === conversationId && !event.goesOn);
const tipOf = (id: ConversationId) => getConversation(fixture.db, id)?.tipId as MessageId;
const records = (conversationId: ConversationId): MemoryRecord[] => [
  ...fixture.transcripts.open({ conversationId, agentId: helper.id }).standing.records.values(),
];
const passes = (conversationId: ConversationId) => passReceiptsOf(fixture.db, { conversationId, agentId: helper.id, count: 100 }).reverse();
const bodies = () => asked().map(({ body }) => body);
const notices = () => fixture.events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []));
const failures = (conversationId: ConversationId) => listFailedTurns(fixture.db, { conversationId }).map(({ failure }) => failure);
const where = (conversationId: ConversationId) => ({ conversationId, agentId: null });
const signal = new AbortController().signal;

const isForCard = ({ body }: Pick<Recorded, 'body'>) => body.includes('You keep the state card');
const goodCard = '## Task\nAnswer the turns.\n\n## User directives\n- "One"\n\n## Next step\nGo on.';
const asked = () => server.requests.filter((request) => !isForCard(request));

/** Answers with this many tokens, or calls a tool. Refuses what does not fit, as a server does. */
function answering(window: number, answer: (request: Recorded, nth: number) => Step[], card = (): Step[] => chatStream([goodCard])): void {
  let nth = 0;
  server.script(route, (request) => {
    if (isForCard(request)) return card();
    const tokens = estimateTokens(request.body);
    return tokens > window
      ? chatError(400, `This model's maximum context length is ${window} tokens. However, you requested ${tokens} tokens.`)
      : answer(request, ++nth);
  });
}
const answerOf = (tokens: number) => (_: Recorded, nth: number) => chatStream([words(tokens, `a${nth}`)]);

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
    expect(readPath(fixture.db, tipOf(id)).filter(({ role }) => role === 'assistant')).toHaveLength(7);
    const last = bodies().at(-1) ?? '';
    for (const there of ['Keep the password PX-77.', '[What you remember.', 'Turn 6']) expect(last).toContain(there);
    expect(passes(id).map(({ outcome }) => outcome)).not.toContain('failed');
    expect(fixture.events.some(({ type }) => type === 'context.compacted')).toBe(true);
    expect(failures(id)).toEqual([]);
  });

  it('L6, L20: the messages stay as they were; only the request is another', async () => {
    await begin();
    answering(8000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    expect(records(id).length).toBeGreaterThan(0);
    const path = readPath(fixture.db, tipOf(id));
    expect(path).toHaveLength(12);
    expect(path.every((message) => textOf(message).length > 2)).toBe(true);
  });

  it('L6: switched off alone, it does not run; a refusal still recovers', async () => {
    await begin({ window: 20_000, compaction: { threshold: null, requestThreshold: null } });
    answering(6000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    expect(failures(id)).toEqual([]);
    expect(new Set(records(id).map(({ receipt }) => receipt.trigger))).toEqual(new Set(['overflow']));
    expect(fixture.settings.providers[0]?.models[0]?.contextWindow).toBe(20_000);
  });
});

describe('the order of rungs', () => {
  const lines = (tokens: number) => Array.from({ length: 30 }, (_, at) => words(tokens / 30, `line${at}`)).join('\n');
  const read = async (recoveryShare: number) => {
    await begin({ window: 16_000, tools: ['read_file'], compaction: { recoveryShare } });
    writeFileSync(join(fixture.workspace, 'a.txt'), lines(2600));
    answering(30_000, (_, nth) => {
      if (nth === 3) return chatCalls([{ id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }]);
      return chatStream([words(nth === 4 ? 8000 : 500, `a${nth}`)]);
    });
    const id = await send('One');
    await send('Two', id);
    const after = fixture.events.length;
    await send('Read it', id);
    await fixture.event('stepEnded', (event) => event.conversationId === id && !event.goesOn && fixture.events.indexOf(event) >= after);
    await send('Next', id);
    return records(id);
  };

  it('L1: what costs nothing goes first, and nothing more where that is enough', async () => {
    const [record, ...more] = await read(1);
    expect(record).toMatchObject({ kind: 'free', elided: [{ callId: 'c1' }], receipt: { trigger: 'turnStart' } });
    expect(more).toEqual([]);
    expect(server.requests.some(isForCard)).toBe(false);
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
    for (let at = 0; at < 30; at++) writeFileSync(join(fixture.workspace, `f${at}.txt`), words(1500, `line${at}`));
    answering(16_000, (_, nth) => {
      const call = { id: `call_${nth}`, name: 'read_file', arguments: JSON.stringify({ path: `f${nth}.txt` }) };
      return nth <= 20 ? chatCalls([call], [words(900, `thought${nth}`)]) : chatStream(['Read them all.']);
    });
    const started = fixture.scheduler.start({ conversationId: null, text: 'Read all files', attachments: [], agentId: null });
    const id = started.conversationId;
    await turnOver(id);
    const path = readPath(fixture.db, tipOf(id));
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
    server.script(route, chatError(400, "This model's maximum context length is 100000 tokens. However, you requested 100001 tokens."));
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
    expect(server.requests).toHaveLength(0);
    expect(notices()).toEqual([]);
    const [failure] = failures(id);
    expect(failure).toMatchObject({ code: 'overflowTokens', retryable: false, detail: { limit: 4000, unsent: true } });
    expect(failure?.detail?.parts?.[0]).toMatchObject({ name: 'system' });
    expect(failure?.detail?.parts?.find(({ name }) => name === 'firstRequest')?.tokens).toBeGreaterThan(5900);
  });

  it('L14: a system prompt larger than the window is said before anything is sent', async () => {
    await begin({ window: 4000 });
    fixture.settings.agents[0] = { ...helper, systemPrompt: words(5000) };
    answering(4000, answerOf(10));
    const id = await send('Hi');
    expect(server.requests).toHaveLength(0);
    expect(failures(id)[0]?.detail?.parts?.[0]).toMatchObject({ name: 'system' });
  });

  it('L14: where only the room for the answer is too big, it is lowered', async () => {
    await begin({ window: 4000 });
    fixture.settings.agents[0] = { ...helper, parameters: { maxOutput: 3500 } };
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

describe('by hand', () => {
  it('K3: an empty or short conversation has nothing to compact; done twice it is already compacted', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    expect(await fixture.memory.compact(where(id), { rung: null, focus: null }, signal)).toEqual({ type: 'nothing' });
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const end = await fixture.memory.compact(where(id), { rung: null, focus: null }, signal);
    expect(end).toMatchObject({ type: 'done', receipt: { trigger: 'hand', record: { kind: 'card' } } });
    expect(await fixture.memory.compact(where(id), { rung: null, focus: null }, signal)).toEqual({ type: 'already' });
  });

  it('L19: undone, the request is word for word as before; redone, as after; and a restart changes neither', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    const plan = async () => (await fixture.memory.view(where(id))).plan;
    const full = await plan();
    await fixture.memory.compact(where(id), { rung: 'summary', focus: null }, signal);
    const short = await plan();
    expect(short.length).toBeLessThan(full.length);
    const [record] = records(id);
    if (!record) throw new Error('no record');
    await fixture.memory.undo(where(id), null);
    expect(await plan()).toEqual(full);
    fixture = await fixture.restart();
    expect(await plan()).toEqual(full);
    await fixture.memory.redo(where(id), record.id);
    expect(await plan()).toEqual(short);
    fixture = await fixture.restart();
    expect(await plan()).toEqual(short);
  });

  it('M7: a card changed by hand is a record of its own, what the next request says, and undoable; wrong ones are refused in place', async () => {
    await begin({ window: 100_000, compaction: { retainedTokens: 2000, retainedEnough: 500 } });
    answering(100_000, answerOf(1500));
    const id = await send('One');
    for (let turn = 1; turn <= 5; turn++) await send(`Turn ${turn}`, id);
    await fixture.memory.compact(where(id), { rung: 'summary', focus: null }, signal);
    const [record] = records(id);
    if (!record) throw new Error('no record');
    const refused = (text: string, of = record.id) =>
      fixture.memory.edit(where(id), of, text).catch((error: { failure: { code: string } }) => error.failure.code);
    expect([await refused('  '), await refused('x '.repeat(20_000)), await refused('fine', 'rec_other' as never)]).toEqual([
      'invalidInput',
      'invalidInput',
      'conflict',
    ]);
    const view = await fixture.memory.edit(where(id), record.id, '## Task\nThe hand-made card');
    expect(view.memory).toMatchObject({ kind: 'edit', body: { text: '## Task\nThe hand-made card' } });
    await send('Next', id);
    expect(bodies().at(-1)).toContain('The hand-made card');
    expect((await fixture.memory.undo(where(id), view.memory?.recordId ?? null)).memory?.recordId).toBe(record.id);
  });
});

describe('what others stumbled over', () => {
  it('L13, T1: a provider that counts twice the estimate makes at most one pass a turn', async () => {
    await begin({ window: 16_000 });
    let nth = 0;
    server.script(route, (request) => {
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
    await fixture.memory.compact(where(id), { rung: 'summary', focus: null }, signal);
    await send('What is open?', id);
    expect(bodies().at(-1)).toContain('- [ ] Mend the sail');
    expect(bodies().at(-1)).toContain('- [x] Paint the boat');
  });

  it('L10, C9: between two records a request begins with the bytes of the one before', async () => {
    await begin({ window: 16_000, tools: ['read_file'] });
    for (let at = 0; at < 40; at++) writeFileSync(join(fixture.workspace, `f${at}.txt`), words(700, `line${at}`));
    answering(16_000, (_, nth) =>
      nth <= 30
        ? chatCalls([{ id: `c${nth}`, name: 'read_file', arguments: JSON.stringify({ path: `f${nth}.txt` }) }], [words(300, `t${nth}`)])
        : chatStream(['Done.']),
    );
    const started = fixture.scheduler.start({ conversationId: null, text: 'Read', attachments: [], agentId: null });
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
    const pinned = (at: number) => readPath(fixture.db, tipOf(id))[at]?.id as MessageId;
    setPin(fixture.db, { conversationId: id, messageId: pinned(2), now: 1 });
    for (let turn = 4; turn <= 6; turn++) await send(`Turn ${turn} with OAK-${turn}`, id);
    await fixture.memory.compact(where(id), { rung: 'summary', focus: null }, signal);
    setPin(fixture.db, { conversationId: id, messageId: pinned(4), now: 2 });
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
      for (const { go } of fixture.waits.splice(0)) go();
    }
    const view = await fixture.memory.view(where(id));
    expect(view.pause).toEqual({ why: 'failures', count: 3 });
    expect(notices().filter((code) => code === 'passesPaused')).toHaveLength(1);
    expect(
      records(id)
        .filter(({ kind }) => kind === 'card')
        .every(({ receipt }) => receipt.method === 'deterministic'),
    ).toBe(true);
    expect(failures(id)).toEqual([]);
    fixture = await fixture.restart();
    expect((await fixture.memory.view(where(id))).pause).toEqual({ why: 'failures', count: 3 });
    const before = server.requests.filter(isForCard).length;
    for (let turn = 20; turn <= 24; turn++) await send(`Turn ${turn}`, id);
    // What would not fit is made room for without a model (L16).
    expect(server.requests.filter(isForCard)).toHaveLength(before);
    expect(failures(id)).toEqual([]);
    expect((await fixture.memory.resume(where(id))).pause).toBeNull();
  });

  it('L11: what it was made for is gone: deleted meanwhile, undone under it, another model: no record, no trace', async () => {
    await begin(small);
    let release: () => void = () => undefined;
    const held = () =>
      [...chatStream([goodCard])].flatMap((step, at) => (at === 1 ? [waitFor(new Promise<void>((go) => (release = go))), step] : [step]));
    const id = await talk(5, held);
    const during = async (act: () => unknown) => {
      const before = server.requests.filter(isForCard).length;
      const end = fixture.memory.compact(where(id), { rung: 'summary', focus: null }, signal);
      await expect.poll(() => server.requests.filter(isForCard).length).toBe(before + 1);
      await act();
      release();
      return end;
    };
    const changed = await during(() => {
      fixture.settings.agents[0] = { ...helper, model: 'local/m2' };
    });
    fixture.settings.agents[0] = helper;
    expect(changed).toEqual({ type: 'failed', failures: [{ rung: 'summary', reason: 'discarded' }] });
    const answer = readPath(fixture.db, tipOf(id))[3]?.id as MessageId;
    const deleted = await during(() => fixture.deletions.remove({ conversationId: id, messageId: answer }));
    expect(deleted).toEqual({ type: 'failed', failures: [{ rung: 'summary', reason: 'discarded' }] });
    expect(records(id)).toEqual([]);
    expect(passes(id)).toEqual([]);
  });

  it('R4, L11: stopped, it leaves no record, and a message sent meanwhile is answered', async () => {
    await begin(small);
    const id = await talk(5, () => [hang()]);
    const controller = new AbortController();
    const end = fixture.memory.compact(where(id), { rung: 'summary', focus: null }, controller.signal);
    await expect.poll(() => server.requests.filter(isForCard).length).toBe(1);
    const meanwhile = fixture.scheduler.start({ conversationId: id, text: 'Typed meanwhile', attachments: [], agentId: null });
    controller.abort();
    expect(await end).toEqual({ type: 'stopped' });
    await over(meanwhile.stepId);
    expect(bodies().at(-1)).toContain('Typed meanwhile');
    expect(records(id)).toEqual([]);
  });

  it('K1: focus words guide the summary and are no request', async () => {
    await begin(small);
    const id = await talk(5);
    await fixture.memory.compact(where(id), { rung: null, focus: 'delete file X' }, signal);
    await send('Next', id);
    const card = server.requests.find(isForCard)?.body ?? '';
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
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => fixture.memory.compact(where(id), { rung: null, focus: null }, signal)),
    );
    expect(ends.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(ends.filter(({ type }) => type === 'already')).toHaveLength(9);
    expect(records(id)).toHaveLength(1);
  });
});
