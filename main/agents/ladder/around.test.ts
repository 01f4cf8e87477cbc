// What happens around a pass while its summarizing model is asked, and on other branches, agents and conversations (L11, L15, L19, T9, X1).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chatCalls, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { words } from '../../context/ladder/ladderFixture';
import { setPin } from '../../store/marks';
import { passReceiptsOf } from '../../store/passReceipts';
import { moveTip } from '../../store/tips';
import { helper } from '../agentsFixture';
import { goodCard, isForCard, makeTalk, second, type Talk } from './talkFixture';

let talk: Talk;
afterEach(() => talk.close());

const toMessage = (id: ConversationId, to: MessageId) => moveTip(talk.fixture.db, { conversationId: id, to });

/** Begins a pass by hand and does something while the card is written. */
async function during<T>(id: ConversationId, act: () => T | Promise<T>) {
  talk.hold();
  const before = talk.cards().length;
  const end = talk.compact(id);
  await expect.poll(() => talk.cards().length).toBe(before + 1);
  await act();
  talk.letGo();
  return end;
}

describe('while the card is written', () => {
  it('L11, L19: what was undone meanwhile is not in the request that follows, and the pass over it leaves nothing', async () => {
    talk = await makeTalk();
    const id = await talk.turns(5);
    await talk.compact(id);
    await talk.turns(5, id);
    const [first] = talk.records(id);
    const end = await during(id, () => talk.fixture.memory.undo({ conversationId: id, agentId: null }, first?.id ?? null));
    expect(end).toEqual({ type: 'failed', failures: [{ rung: 'summary', reason: 'discarded' }] });
    expect(talk.records(id)).toHaveLength(1);
    await talk.send('Next', id);
    expect(talk.bodies().at(-1)).not.toContain('[What you remember.');
    expect(talk.bodies().at(-1)).toContain('OAK-2');
  });

  it('L15: before a turn, too: what was pinned meanwhile is verbatim in the very request that the pass was made for', async () => {
    talk = await makeTalk({ window: 8000, compaction: {} });
    talk.answering(8000, (_, nth) => chatStream([words(1300, `a${nth}`)]));
    const id = await talk.turns(4);
    const [, , pinned] = talk.path(id);
    talk.hold();
    const sent = talk.send('More, and more', id).then(() => talk.send('And on', id));
    await expect.poll(() => talk.cards().length).toBe(1);
    setPin(talk.fixture.db, { conversationId: id, messageId: pinned as MessageId, now: 1 });
    talk.letGo();
    await sent;
    const withMemory = talk.bodies().find((body) => body.includes('[What you remember.')) ?? '';
    const at = withMemory.indexOf('Turn 2 with OAK-2');
    expect(at).toBeGreaterThan(-1);
    expect(at).toBeLessThan(withMemory.indexOf('[What you remember.'));
    expect(talk.failures(id)).toEqual([]);
  });

  it('L11, T8: a deleted conversation has no pass, and back from the trash it is as it was', async () => {
    talk = await makeTalk();
    const id = await talk.turns(5);
    const before = await talk.plan(id);
    let trashId = '' as never;
    const end = await during(id, async () => {
      trashId = (await talk.fixture.deletions.remove({ conversationId: id, messageId: null })).trashId as never;
    });
    expect(end).toEqual({ type: 'failed', failures: [{ rung: 'summary', reason: 'discarded' }] });
    await talk.fixture.deletions.restore(trashId);
    expect(await talk.plan(id)).toEqual(before);
    expect(await talk.compact(id)).toMatchObject({ type: 'done' });
  });

  it('L11, A1: an agent that is renamed or removed meanwhile keeps what was made for it', async () => {
    talk = await makeTalk();
    const id = await talk.turns(5);
    const renamed = await during(id, () => {
      talk.fixture.settings.agents[0] = { ...helper, name: 'Renamed' };
    });
    expect(renamed).toMatchObject({ type: 'done' });
    await talk.turns(5, id);
    const removed = await during(id, () => {
      talk.fixture.settings.agents = [second];
    });
    expect(removed).toMatchObject({ type: 'done' });
    expect(talk.records(id).map(({ previousId }) => previousId)).toEqual([undefined, talk.records(id)[0]?.id]);
  });

  it('L11, L12: a turn that began with another model than the agent has now goes on making room, and asks for each card once', async () => {
    const agent = { ...helper, tools: ['read_file'] };
    talk = await makeTalk({ window: 16_000, compaction: { summaryMode: 'simple' }, agents: [agent] });
    for (let at = 1; at <= 20; at++) writeFileSync(join(talk.fixture.workspace, `f${at}.txt`), words(300, `line${at}`));
    talk.answering(16_000, (_, nth) => {
      if (nth === 2) talk.fixture.settings.agents[0] = { ...agent, model: 'demo/demo' };
      const call = { id: `call_${nth}`, name: 'read_file', arguments: JSON.stringify({ path: `f${nth}.txt` }) };
      return nth <= 20 ? chatCalls([call], [words(1500, `thought${nth}`)]) : chatStream(['Read them all.']);
    });
    const id = await talk.send('Read all files');
    const cards = talk.records(id).filter(({ kind }) => kind === 'card');
    expect(cards.length).toBeGreaterThan(1);
    expect(talk.cards()).toHaveLength(cards.length);
    expect(talk.failures(id)).toEqual([]);
    expect(talk.path(id)).toHaveLength(22);
  });

  it('R4, L11: the workspace closes: what runs and what waits behind it ends without a record, and a later start makes one', async () => {
    talk = await makeTalk();
    const id = await talk.turns(5);
    talk.hold();
    const ends = [talk.compact(id), talk.compact(id), talk.compact(id)];
    await expect.poll(() => talk.cards().length).toBe(1);
    await talk.restart();
    expect(await Promise.all(ends)).toEqual([{ type: 'stopped' }, { type: 'stopped' }, { type: 'stopped' }]);
    expect(talk.cards()).toHaveLength(1);
    expect(talk.records(id)).toEqual([]);
    expect(passReceiptsOf(talk.fixture.db, { conversationId: id, agentId: helper.id, count: 9 })).toEqual([]);
    talk.letGo();
    expect(await talk.compact(id)).toMatchObject({ type: 'done' });
  });
});

describe('a clock that is set back', () => {
  it('R3, L7, L19: use reported before a pass does not count after it, and an undo rests all the same', async () => {
    talk = await makeTalk({ window: 20_000 });
    let nth = 0;
    talk.server.script('POST /v1/chat/completions', (request) =>
      chatStream([isForCard(request) ? goodCard : words(1500, `a${++nth}`)], {
        usage: { prompt_tokens: nth * 2000, completion_tokens: 1500 },
      }),
    );
    const id = await talk.turns(5);
    talk.fixture.clock.time -= 5000;
    expect((await talk.view(id)).tokens).toBeGreaterThan(9000);
    expect(await talk.compact(id)).toMatchObject({ type: 'done' });
    expect(await talk.view(id)).toMatchObject({ reported: false });
    expect((await talk.view(id)).tokens).toBeLessThan(6000);
    const undone = await talk.fixture.memory.undo({ conversationId: id, agentId: null }, null);
    expect(undone.pause).toEqual({ why: 'undone', recordId: talk.records(id)[0]?.id });
    expect(await talk.compact(id)).toMatchObject({ type: 'done' });
    expect((await talk.view(id)).pause).toBeNull();
    expect(talk.failures(id)).toEqual([]);
  });
});

describe('branches', () => {
  it('L19, T3: a card that was made on a branch is there again after one was made elsewhere, over a shorter way', async () => {
    talk = await makeTalk();
    const id = await talk.turns(8);
    const [there, trunk] = [talk.tip(id), talk.path(id)[9] as MessageId];
    await talk.compact(id);
    const edited = await talk.fixture.memory.edit({ conversationId: id, agentId: null }, talk.records(id)[0]?.id as never, 'By my hand');
    toMessage(id, trunk);
    await talk.compact(id);
    expect((await talk.view(id)).memory?.recordId).toBe(talk.records(id)[2]?.id);
    toMessage(id, there);
    expect(await talk.plan(id)).toEqual(edited.plan);
    expect(talk.fixture.looks.marks({ conversationId: id, agentId: null }).marks.find(({ isInForce }) => isInForce)?.text).toBe(
      'By my hand',
    );
    await talk.restart();
    expect(await talk.plan(id)).toEqual(edited.plan);
  });

  it('L11: what is undone on another branch while a card is written does not throw that card away', async () => {
    talk = await makeTalk();
    const id = await talk.turns(6);
    const there = talk.tip(id);
    toMessage(id, talk.path(id)[1] as MessageId);
    await talk.turns(5, id);
    await talk.compact(id);
    const elsewhere = talk.tip(id);
    toMessage(id, there);
    const end = await during(id, async () => {
      toMessage(id, elsewhere);
      await talk.fixture.memory.undo({ conversationId: id, agentId: null }, null);
    });
    expect(end).toMatchObject({ type: 'done' });
    expect((await talk.view(id)).memory).toBeNull();
    toMessage(id, there);
    expect((await talk.view(id)).memory?.recordId).toBe(talk.records(id)[1]?.id);
  });

  it('L11: two branches at once: one pass after the other, and the second is made over what holds on its own way', async () => {
    talk = await makeTalk();
    const id = await talk.turns(6);
    const there = talk.tip(id);
    const start = talk.path(id)[1] as MessageId;
    talk.hold();
    const first = talk.compact(id);
    await expect.poll(() => talk.cards().length).toBe(1);
    toMessage(id, start);
    talk.letGo();
    await talk.turns(5, id);
    await first;
    const end = await talk.compact(id);
    expect(end).toMatchObject({ type: 'done' });
    const [one, two] = talk.records(id);
    expect(two?.previousId).toBeUndefined();
    toMessage(id, there);
    expect((await talk.view(id)).memory?.recordId).toBe(one?.id);
  });
});

describe('agents and conversations', () => {
  it('X1, L9: a pass of one agent leaves what the other is sent as it was, byte for byte', async () => {
    talk = await makeTalk({ agents: [helper, second] });
    const id = await talk.turns(3);
    await talk.turns(3, id, second.id);
    await talk.turns(2, id, helper.id);
    const [mine, its] = [await talk.plan(id, helper.id), await talk.plan(id, second.id)];
    expect(await talk.compact(id, helper.id)).toMatchObject({ type: 'done' });
    expect(await talk.plan(id, second.id)).toEqual(its);
    expect(talk.records(id, second.id)).toEqual([]);
    expect(await talk.plan(id, helper.id)).not.toEqual(mine);
    expect(await talk.compact(id, second.id)).toMatchObject({ type: 'done' });
    expect((await talk.view(id, helper.id)).receipts).toHaveLength(1);
    expect((await talk.view(id, second.id)).receipts).toHaveLength(1);
  });

  it('L11: two conversations pass at once, neither waits for the other', async () => {
    talk = await makeTalk();
    const [one, two] = [await talk.turns(5), await talk.turns(5)];
    talk.hold();
    const ends = [talk.compact(one), talk.compact(two)];
    await expect.poll(() => talk.cards().length).toBe(2);
    talk.letGo();
    await talk.fixture.memory.stop({ conversationId: one, agentId: null });
    expect((await Promise.all(ends)).map(({ type }) => type)).toEqual(['stopped', 'done']);
    expect([talk.records(one).length, talk.records(two).length]).toEqual([0, 1]);
  });
});
