// A fork is the same conversation under other ids, and shares nothing that changes (T9).
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ForkScope, forkScopes } from '../../shared/model/fork';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { createNewId } from '../lib/newId';
import { listConversations } from '../store/conversations';
import { change, select, transaction } from '../store/database';
import { forksOf, unfinishedForks } from '../store/forks';
import { startStep } from '../store/liveSteps';
import { appendMessage, getMessage, readPath } from '../store/messages';
import { rebuildDerived } from '../store/repair';
import { handOverContent } from '../store/sharedContent';
import { cnv, makeMessage, makeStep, msg } from '../store/storeFixture';
import { readTalk } from '../store/talkView';
import { makeRecord } from '../transcript/transcriptFixture';
import { type Act, acts, agents, type ForkTest, makeForkTest, pathTo, perform, say, step } from './forkFixture';

let test: ForkTest;
beforeEach(() => {
  test = makeForkTest();
});
afterEach(() => test.remove());

const fork = (messageId: MessageId, scope: ForkScope) => test.forks.fork({ conversationId: cnv('1'), messageId, scope });
const idsIn = (conversationId: ConversationId) =>
  select<{ id: MessageId }>(test.db, 'SELECT id FROM messages WHERE conversation_id = ? ORDER BY seq')
    .all(conversationId)
    .map(({ id }) => id);
const folderOf = (id: ConversationId) => join(test.folder, 'transcripts', id);
const filesIn = (id: ConversationId) => {
  try {
    return readdirSync(folderOf(id)).sort();
  } catch {
    return [];
  }
};
const bytesOf = (id: ConversationId) => filesIn(id).map((name) => [name, readFileSync(join(folderOf(id), name), 'latin1')]);

/** Which messages of the source a scope holds, by the words of the rule. */
function expected(chosen: MessageId, scope: ForkScope, seen: (id: MessageId) => boolean): MessageId[] {
  const path = pathTo(test.db, chosen);
  const all = idsIn(cnv('1')).filter(seen);
  if (scope === 'all') return all;
  if (scope === 'path') return all.filter((id) => path.includes(id));
  const parents = new Set(path.map((id) => getMessage(test.db, id)?.parentId ?? null));
  return all.filter((id) => parents.has(getMessage(test.db, id)?.parentId ?? null));
}

const bury = (id: MessageId) =>
  change(test.db, "INSERT INTO trash (id, conversation_id, message_id, messages, deleted_at) VALUES ('trash_1', 'cnv_1', ?, 1, 1)").run(id);

/** Puts everything under a message into the trash, as a deletion does. */
function trash(id: MessageId): Set<MessageId> {
  const gone = new Set<MessageId>([id]);
  for (const one of idsIn(cnv('1'))) if (gone.has(getMessage(test.db, one)?.parentId ?? ('' as MessageId))) gone.add(one);
  bury(id);
  for (const one of gone) change(test.db, "UPDATE messages SET trash_id = 'trash_1' WHERE id = ?").run(one);
  reveal(id);
  return gone;
}

/** Marks count once the deletion has its row. */
function reveal(id: MessageId): void {
  const row = "INSERT OR REPLACE INTO trash (id, conversation_id, message_id, messages, deleted_at) VALUES ('trash_1', 'cnv_1', ?, 1, 1)";
  change(test.db, row).run(id);
}

/** As the fixture names things; what a fork makes is a ULID. */
const oldId = /\b(?:msg|trn|stp|fld|rec)_m?\d{1,3}\b/;
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('always', () => {
  const chosen = fc.record({
    at: fc.nat(60),
    scope: fc.constantFrom(...forkScopes),
    trashed: fc.option(fc.nat(60)),
    sealAbove: fc.constantFrom(600, 1500, 100_000),
  });

  it('T9, L9, X5: always: the context at the fork’s tip is the one at the source, for each agent, and every id is the fork’s own', async () => {
    await fc.assert(
      fc.asyncProperty(acts, chosen, async (all: Act[], { at, scope, trashed, sealAbove }) => {
        test.remove();
        test = makeForkTest(sealAbove);
        const made = perform(test, all);
        const gone =
          trashed === null || made.length < 2 ? new Set<MessageId>() : trash(made[1 + (trashed % (made.length - 1))] as MessageId);
        const seen = made.filter((id) => !gone.has(id));
        const source = seen[at % seen.length] as MessageId;
        const before = [plain(test.dump(cnv('1'))), bytesOf(cnv('1'))];
        const { id, tipId, title, titleSource, forkedFrom } = await fork(source, scope);
        expect({ title, titleSource, forkedFrom }).toEqual({
          title: 'A title',
          titleSource: 'auto',
          forkedFrom: { conversationId: cnv('1'), messageId: source },
        });
        // The source is as it was.
        expect([plain(test.dump(cnv('1'))), bytesOf(cnv('1'))]).toEqual(before);
        // The same messages in the same order, under the same parents.
        const old = expected(source, scope, (one) => !gone.has(one));
        const copies = idsIn(id);
        expect(copies).toHaveLength(old.length);
        const copyOf = new Map(old.map((one, n) => [one, copies[n] as MessageId]));
        expect(tipId).toBe(copyOf.get(source));
        for (const one of old) {
          const [from, to] = [getMessage(test.db, one), getMessage(test.db, copyOf.get(one) as MessageId)];
          expect(to?.parentId).toBe(from?.parentId ? copyOf.get(from.parentId) : null);
          expect(to?.parts).toEqual(from?.parts);
        }
        // What is derived was right at once.
        const dumped = plain(test.dump(id));
        rebuildDerived(test.db, id);
        expect(plain(test.dump(id))).toEqual(dumped);
        // What a model is sent.
        for (const by of agents.keys()) {
          for (const one of scope === 'path' ? [source] : pathTo(test.db, source)) {
            expect(await test.ask(id, copyOf.get(one) as MessageId, by)).toEqual(await test.ask(cnv('1'), one, by));
          }
        }
        // No id of the source is left in a row, but where it says where it comes from and how a step is called in its file.
        const rows = JSON.stringify(dumped, (key, value) =>
          ['forked_from', 'forked_message', 'stored_as', 'agent', 'text', 'label'].includes(key) ? null : value,
        );
        expect(rows).not.toMatch(oldId);
        expect(readFileSync(join(folderOf(id), `${agents[0].id}.json`), 'utf8')).not.toMatch(oldId);
        // Nothing outside the scope is in its folder.
        const words = bytesOf(id)
          .map(([, bytes]) => bytes)
          .join('\n');
        for (const one of made) if (!copyOf.has(one)) expect(words).not.toContain(`words of ${one.slice(4)} `);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('T9: always: later messages, edits and deletions of one never show in the other', async () => {
    await fc.assert(
      fc.asyncProperty(acts, chosen, fc.boolean(), async (all: Act[], { at, scope, sealAbove }, again) => {
        test.remove();
        test = makeForkTest(sealAbove);
        const made = perform(test, all);
        const source = made[at % made.length] as MessageId;
        const first = await fork(source, scope);
        // A fork of the fork shares with both.
        const second = again ? await test.forks.fork({ conversationId: first.id, messageId: first.tipId as MessageId, scope }) : first;
        const shown = plain(readPath(test.db, second.tipId as MessageId));
        const sent = await test.ask(second.id, second.tipId as MessageId);
        const sourceSent = await test.ask(cnv('1'), source);
        const message = { ...makeMessage('later', null), conversationId: second.id, parentId: second.tipId };
        appendMessage(test.db, { message, tip: 'follow' });
        expect(await test.ask(cnv('1'), source)).toEqual(sourceSent);
        say(test, made, 'afterwards', source);
        // All of the source is deleted for good.
        const gone = idsIn(cnv('1'));
        transaction(test.db, () => {
          const seqs = select<{ seq: number }>(test.db, 'SELECT seq FROM messages WHERE conversation_id = ?').all(cnv('1'));
          handOverContent(
            test.db,
            seqs.map(({ seq }) => seq),
          );
          for (const one of gone) change(test.db, 'DELETE FROM messages WHERE id = ?').run(one);
          change(test.db, 'DELETE FROM transcript_steps WHERE conversation_id = ?').run(cnv('1'));
        });
        await test.transcripts.remove(cnv('1'));
        expect(plain(readPath(test.db, second.tipId as MessageId))).toEqual(shown);
        expect(await test.ask(second.id, second.tipId as MessageId)).toEqual(sent);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

describe('one by one', () => {
  const long = (name: string) => ({ content: [{ type: 'text' as const, text: `words of ${name} ${'x'.repeat(700)}` }] });
  const me = { conversationId: cnv('1'), agentId: agents[0].id };
  const inode = (id: ConversationId, name: string) => statSync(join(folderOf(id), name)).ino;

  it('T9, N5: a sealed file with nothing else in it is linked, another is filtered, and both are read under the fork’s ids', async () => {
    const made: MessageId[] = [];
    say(test, made, 'u', null);
    for (const name of ['a', 'b', 'c', 'd']) step(test, made, name, made.at(-1) as MessageId, long(name));
    step(test, made, 'side', msg('b'), long('side'));
    step(test, made, 'e', msg('d'), long('e'));
    const sealed = filesIn(cnv('1')).filter((name) => /\.\d+\.json$/.test(name));
    expect(sealed.length).toBeGreaterThan(1);
    const whole = await fork(msg('e'), 'all');
    for (const name of sealed) expect(inode(whole.id, name)).toBe(inode(cnv('1'), name));
    const path = await fork(msg('e'), 'path');
    expect(inode(path.id, 'me.1.json')).toBe(inode(cnv('1'), 'me.1.json'));
    expect(JSON.stringify(bytesOf(path.id))).not.toContain('words of side');
    expect(JSON.stringify(bytesOf(cnv('1')))).toContain('words of side');
    // Of a fork, too, whose files name the first conversation.
    const again = await test.forks.fork({ conversationId: path.id, messageId: path.tipId as MessageId, scope: 'all' });
    expect(inode(again.id, 'me.1.json')).toBe(inode(cnv('1'), 'me.1.json'));
    for (const { id, tipId } of [whole, path, again])
      expect(await test.ask(id, tipId as MessageId)).toEqual(await test.ask(cnv('1'), msg('e')));
  });

  it('X10: a file of another conversation is used only where the database says that it was linked', async () => {
    const made: MessageId[] = [];
    say(test, made, 'u', null);
    for (const name of ['a', 'b', 'c']) step(test, made, name, made.at(-1) as MessageId, long(name));
    const { id } = await fork(msg('c'), 'all');
    const rows = select<{ step_id: string; stored_as: string; file: number }>(
      test.db,
      'SELECT step_id, stored_as, file FROM transcript_steps WHERE conversation_id = ? AND file = 1',
    ).all(id);
    const place = { conversationId: id, agentId: agents[0].id };
    expect(rows.length).toBeGreaterThan(0);
    const refs = rows.map(({ step_id, file }) => ({ stepId: step_id as never, file }));
    const foreign = rows.map(({ stored_as, file }) => ({ stepId: stored_as as never, file }));
    expect(await test.transcripts.steps(place, [...refs, ...foreign])).toEqual([]);
  });

  it('T9: a digest tells of a branch only where the fork has it', async () => {
    const made: MessageId[] = [];
    say(test, made, 'u', null);
    say(test, made, 'left', msg('u'));
    say(test, made, 'd', msg('u'), { role: 'digest', digest: { from: msg('left'), label: 'here' } });
    const path = await fork(msg('d'), 'path');
    const all = await fork(msg('d'), 'all');
    expect(getMessage(test.db, path.tipId as MessageId)?.digest).toEqual({ label: 'here' });
    const from = getMessage(test.db, all.tipId as MessageId)?.digest?.from as MessageId;
    expect(getMessage(test.db, from)).toMatchObject({ conversationId: all.id, parts: [{ text: 'text of left' }] });
  });

  it('T9: the ids of forks of forks neither meet nor grow', async () => {
    const made: MessageId[] = [];
    const ids = createNewId(() => 9000);
    const [first, second] = [ids('msg'), ids('msg')];
    appendMessage(test.db, { message: { ...makeMessage('u', null), id: first }, tip: 'follow' });
    appendMessage(test.db, { message: { ...makeMessage('a', null), id: second, parentId: first }, tip: 'follow' });
    say(test, made, 'other', second);
    let from = { conversationId: cnv('1'), messageId: made[0] as MessageId };
    const seen = new Set(idsIn(cnv('1')));
    const longest: number[] = [];
    for (let n = 0; n < 4; n++) {
      const [one, other] = [await test.forks.fork({ ...from, scope: 'all' }), await test.forks.fork({ ...from, scope: 'path' })];
      for (const id of [...idsIn(one.id), ...idsIn(other.id)]) seen.add(id);
      longest.push(Math.max(...idsIn(other.id).map((id) => id.length)));
      from = { conversationId: one.id, messageId: one.tipId as MessageId };
    }
    expect(seen.size).toBe(3 + 4 * 2 * 3);
    expect(longest).toEqual([38, 38, 38, 38]);
  });

  it('T9: labels, pins, checkpoints and branches that were left come along with their ids; what the agent lacks stays out', async () => {
    const made: MessageId[] = [];
    say(test, made, 'u', null);
    for (const name of ['a', 'b']) say(test, made, name, msg('u'));
    say(test, made, 'a2', msg('a'));
    for (const [name, label] of [
      ['a', 'one'],
      ['b', 'two'],
    ] as const) {
      change(test.db, 'INSERT INTO labels VALUES (?, ?, ?, 7)').run(msg(name), cnv('1'), label);
      change(test.db, 'INSERT INTO pins VALUES (?, ?, 7)').run(msg(name), cnv('1'));
      change(test.db, "INSERT INTO checkpoints (conversation_id, message_id, label, made_by, created_at) VALUES (?, ?, ?, 'user', 7)").run(
        cnv('1'),
        msg(name),
        label,
      );
    }
    change(test.db, 'INSERT INTO branch_tips VALUES (?, ?, ?, NULL)').run(cnv('1'), msg('a'), msg('a2'));
    change(test.db, 'INSERT INTO branch_tips VALUES (?, ?, ?, NULL)').run(cnv('1'), msg('b'), msg('b'));
    const counts = (id: ConversationId) =>
      ['messages', 'labels', 'pins', 'checkpoints', 'branch_tips'].map(
        (table) => select(test.db, `SELECT 1 FROM ${table} WHERE conversation_id = ?`).all(id).length,
      );
    expect(counts((await fork(msg('a'), 'path')).id)).toEqual([2, 1, 1, 1, 0]);
    expect(counts((await fork(msg('a'), 'siblings')).id)).toEqual([3, 2, 2, 2, 1]);
    expect(counts((await fork(msg('a'), 'all')).id)).toEqual([4, 2, 2, 2, 2]);
    expect(await test.forks.count({ conversationId: cnv('1'), messageId: msg('a') })).toEqual({ path: 2, siblings: 3, all: 4 });
    expect(forksOf(test.db, cnv('1')).map(({ forkedFrom }) => forkedFrom?.messageId)).toEqual([msg('a'), msg('a'), msg('a')]);
  });

  it('T7, T9: a tree that another program damaged is mended and forked; what is recovered stands as a root', async () => {
    const made: MessageId[] = [];
    for (const name of ['u', 'a', 'b']) say(test, made, name, made.at(-1) ?? null);
    change(test.db, "UPDATE messages SET parent_id = 'msg_gone' WHERE id = ?").run(msg('a'));
    change(test.db, "UPDATE messages SET jump_id = 'msg_gone' WHERE id = ?").run(msg('b'));
    const { tipId } = await fork(msg('b'), 'path');
    expect(readPath(test.db, tipId as MessageId).map(({ parts }) => parts)).toEqual(
      ['a', 'b'].map((name) => [{ type: 'text', text: `text of ${name}` }]),
    );
    await expect(fork(msg('none'), 'all')).rejects.toMatchObject({ failure: { code: 'notFound' } });
  });

  it('R4, R2: while it is copied nobody sees it; stopped, or when something is deleted meanwhile, nothing of it is left', async () => {
    const made: MessageId[] = [];
    say(test, made, 'u', null);
    for (let n = 0; n < 400; n++) say(test, made, `n${n}`, made.at(-1) as MessageId);
    const last = made.at(-1) as MessageId;
    const before = plain(test.dump(cnv('1')));
    const stop = new AbortController();
    const stopped = test.forks.fork({ conversationId: cnv('1'), messageId: last, scope: 'all' }, stop.signal);
    expect(unfinishedForks(test.db)).toHaveLength(1);
    expect(listConversations(test.db, { archived: false })).toHaveLength(1);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ failure: { code: 'stopped' } });
    const conflict = fork(last, 'all');
    bury(last);
    change(test.db, "UPDATE messages SET trash_id = 'trash_1' WHERE id = ?").run(last);
    reveal(last);
    await expect(conflict).rejects.toMatchObject({ failure: { code: expect.stringMatching(/conflict|notFound/) } });
    change(test.db, 'UPDATE messages SET trash_id = NULL WHERE id = ?').run(last);
    change(test.db, 'DELETE FROM trash').run();
    expect(plain(test.dump(cnv('1')))).toEqual(before);
    expect(select(test.db, "SELECT 1 FROM conversations WHERE id <> 'cnv_1'").all()).toEqual([]);
    expect(readdirSync(join(test.folder, 'transcripts'))).toEqual([]);
  });

  it('X9: what runs is not copied: a fork while an answer is written has what is complete', async () => {
    const made: MessageId[] = [];
    say(test, made, 'u', null);
    startStep(test.db, makeStep('live', 'u'));
    const { id, tipId } = await fork(msg('u'), 'all');
    expect(readTalk(test.db, { conversationId: id, count: 5 })).toMatchObject({ running: [], ending: null, tipId, length: 1 });
  });

  it('X5, L11: a pass in a fork seals its live file by its own ids', async () => {
    const made: MessageId[] = [];
    say(test, made, 'u', null);
    step(test, made, 'a', msg('u'), { content: [{ type: 'text', text: 'short' }] });
    test.transcripts.append(me, { type: 'record', record: makeRecord('1', 'a') });
    const { id, tipId } = await fork(msg('a'), 'path');
    const { standing } = test.transcripts.open({ ...me, conversationId: id });
    expect([...standing.records.values()]).toMatchObject([{ anchorId: tipId }]);
    expect(filesIn(id)).toEqual(['me.1.json', 'me.json', 'you.json']);
  });
});
