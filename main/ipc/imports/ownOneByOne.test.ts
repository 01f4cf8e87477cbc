// Bough's own exports one case at a time: attachments, second imports, parts of a tree, and what goes wrong on the way (I2, I3, I4, R4).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobHash, ConversationId, MessageId } from '../../../shared/model/ids';
import { type ForkTest, makeForkTest, say, step } from '../../agents/forkFixture';
import { disk } from '../../lib/disk';
import { change, select } from '../../store/database';
import { looseHashes } from '../../store/looseBlobs';
import { getMessage, readPath } from '../../store/messages';
import { cnv, msg } from '../../store/storeFixture';
import { moveTip } from '../../store/tips';
import { lostText } from '../../transcript/bigText';
import { makeRecord, systemError } from '../../transcript/transcriptFixture';
import { createTranscripts } from '../../transcript/transcripts';
import { asked, conversationsIn, type EmptyPlace, emptyPlace, exported, imported, messagesIn, type Place, told } from './ownFixture';

let source: ForkTest;
let target: EmptyPlace;
beforeEach(() => {
  source = makeForkTest();
  target = emptyPlace();
});
afterEach(() => {
  source.remove();
  target.remove();
});

const me = { conversationId: cnv('1'), agentId: 'me' as never };
const only = (at: Place) => conversationsIn(at).find(({ id }) => id !== cnv('1'));
const tipOf = (at: Place) => only(at)?.tipId as MessageId;
const words = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** root → a → b → c, and beside a: side. */
function tree(test: ForkTest): MessageId[] {
  const made: MessageId[] = [];
  say(test, made, 'root', null);
  step(test, made, 'a', msg('root'), words('A'));
  say(test, made, 'b', msg('a'));
  step(test, made, 'c', msg('b'), words('C'));
  step(test, made, 'side', msg('root'), words('Side'));
  return made;
}
function grow(test: ForkTest): void {
  const made: MessageId[] = [];
  moveTip(test.db, { conversationId: cnv('1'), to: msg('c') });
  say(test, made, 'd', msg('c'));
  step(test, made, 'e', msg('d'), words('E'));
  change(test.db, 'INSERT INTO labels VALUES (?, ?, ?, 7)').run(msg('e'), cnv('1'), 'here');
  const record = makeRecord('1', '0', { anchorId: msg('e'), kind: 'card', folded: [msg('a'), msg('b')] });
  test.transcripts.append(me, { type: 'record', record });
}
const nothingIn = (at: EmptyPlace) => {
  expect(select(at.db, 'SELECT 1 FROM conversations').all()).toEqual([]);
  expect(select(at.db, 'SELECT 1 FROM messages').all()).toEqual([]);
  const folder = join(at.folder, 'transcripts');
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
};

describe('attachments', () => {
  it('I2, X4: come back byte for byte; one that was lost is a notice to the model and never its name', async () => {
    const made: MessageId[] = [];
    const hash = await source.blobs.write(Buffer.from('bytes \0 of it'), 'image/png');
    const gone = 'e'.repeat(64) as BlobHash;
    const picture = (one: BlobHash) => ({ type: 'image' as const, hash: one, mime: 'image/png', name: 'p.png', size: 13 });
    say(source, made, 'u', null, { parts: [picture(hash), picture(gone), { type: 'text', text: 'Look' }] });
    const report = await imported(target, await exported(source, cnv('1')));
    expect(report.total).toMatchObject({ attachmentsFound: 1, attachmentsMissing: 1 });
    expect(Buffer.from(await target.blobs.read(hash)).toString()).toBe('bytes \0 of it');
    expect(await asked(target, tipOf(target), 0)).toEqual(await asked(source, msg('u'), 0));
    expect(JSON.stringify(await asked(target, tipOf(target), 0))).not.toContain(gone);
  });

  it('I1, I2, S10: pages come back with their pictures and texts; in a file without attachments their messages stand in full', async () => {
    const made: MessageId[] = [];
    say(source, made, 'root', null);
    for (let at = 1; at <= 4; at++) step(source, made, `s${at}`, made.at(-1) as MessageId, words(`Answer ${at}`));
    say(source, made, 'last', made.at(-1) as MessageId);
    const pages = ['one', 'two'].map((name) => ({
      hash: source.blobs.writeNow(Buffer.from(`picture ${name} \0`), 'image/png'),
      textHash: source.blobs.writeNow(Buffer.from(`printed ${name}`), 'text/plain'),
      width: 768,
      height: 2048,
    }));
    const frame = { family: 'gpt-4o', legend: 'Pages.', head: 'Head.', tail: 'Tail.' };
    const body = { text: '', pages, frame, files: [], references: [] };
    const record = makeRecord('p', '0', { kind: 'pages', anchorId: msg('s3'), folded: [msg('s1'), msg('s2'), msg('s3')], body });
    source.transcripts.append(me, { type: 'record', record });
    for (const format of ['json', 'jsonl'] as const) {
      const report = await imported(target, await exported(source, cnv('1'), { format }), { mode: 'copy' });
      expect(report.files[0]).toMatchObject({ leftOut: [], skipped: [] });
      for (const { hash, textHash } of pages)
        for (const one of [hash, textHash]) expect(await target.blobs.read(one)).toEqual(await source.blobs.read(one));
      const sent = await asked(target, tipOf(target), 0);
      expect(sent).toEqual(await asked(source, msg('last'), 0));
      expect(JSON.stringify(sent)).toContain(pages[1]?.hash);
      // To a reader that is not known to see the text goes, on both sides.
      expect(JSON.stringify(await asked(target, tipOf(target), 1))).not.toContain(pages[0]?.hash);
    }
    const other = emptyPlace();
    try {
      const include = { toolCalls: true, reasoning: true, attachments: false, memory: true };
      const report = await imported(other, await exported(source, cnv('1'), { include }));
      expect(report.files[0]?.leftOut).toEqual([{ what: 'record', count: 1 }]);
      expect(JSON.stringify(await asked(other, tipOf(other), 0))).toContain('Answer 1');
    } finally {
      other.remove();
    }
  });

  it('I2, X4: a long text of a step is in a blob on both sides, and its words in the file', async () => {
    const made: MessageId[] = [];
    say(source, made, 'u', null);
    const long = `long ${'é'.repeat(60_000)}`;
    step(source, made, 'a', msg('u'), words(long));
    const file = await exported(source, cnv('1'));
    expect(file).toContain(long);
    await imported(target, file);
    expect(JSON.stringify(await asked(target, tipOf(target), 0))).toContain(long);
    // What is lost here says something else than its message: the message is what is told.
    source.blobs.remove((await source.blobs.write(Buffer.from(long), 'text/plain')) as BlobHash);
    const again = await exported(source, cnv('1'));
    expect(again).toContain(lostText(Buffer.byteLength(long)));
    const report = await imported(target, again, { mode: 'copy' });
    expect(report.files[0]?.leftOut).toEqual([{ what: 'step', count: 1 }]);
  });
});

it('I2: half of a pair, which the database cannot hold and a transcript can, comes back in the step', async () => {
  const made: MessageId[] = [];
  say(source, made, 'u', null);
  step(source, made, 'a', msg('u'), words('\ud800 half'));
  const report = await imported(target, await exported(source, cnv('1')));
  expect(report.files[0]?.leftOut).toEqual([]);
  expect(await asked(target, tipOf(target), 0)).toEqual(await asked(source, msg('a'), 0));
});

describe('a second time', () => {
  it('I3: it is known; so is the conversation it was made of; a copy is another one', async () => {
    tree(source);
    const file = await exported(source, cnv('1'));
    await imported(target, file);
    const before = await told(target, only(target)?.id as ConversationId);
    expect((await imported(target, file)).files[0]?.skipped).toEqual([{ title: 'A title', reason: 'known' }]);
    expect((await imported(target, file, { mode: 'update' })).files[0]?.skipped).toEqual([{ title: 'A title', reason: 'known' }]);
    expect(await told(target, only(target)?.id as ConversationId)).toEqual(before);
    expect((await imported(source, file)).files[0]?.skipped).toEqual([{ title: 'A title', reason: 'known' }]);
    await imported(target, file, { mode: 'copy' });
    expect(conversationsIn(target)).toHaveLength(2);
  });

  it('I3, T1: update brings what is new with its steps, marks and records; what was there stays as it is', async () => {
    tree(source);
    moveTip(source.db, { conversationId: cnv('1'), to: msg('c') });
    await imported(target, await exported(source, cnv('1')));
    const id = only(target)?.id as ConversationId;
    const rows = select(target.db, 'SELECT id, parent_id, text, parts FROM messages ORDER BY seq').all();
    grow(source);
    const report = await imported(target, await exported(source, cnv('1')), { mode: 'update' });
    expect(report.total).toMatchObject({ conversations: 0, updated: 1, messages: 2 });
    expect(select(target.db, 'SELECT id, parent_id, text, parts FROM messages ORDER BY seq LIMIT 5').all()).toEqual(rows);
    expect(await asked(target, tipOf(target), 0)).toEqual(await asked(source, msg('e'), 0));
    expect(await told(target, id)).toMatchObject({ labels: [{ label: 'here' }] });
  });

  it('I3: update of the conversation it was made of keeps its names', async () => {
    tree(source);
    grow(source);
    const file = await exported(source, cnv('1'));
    const older = makeForkTest();
    try {
      tree(older);
      moveTip(older.db, { conversationId: cnv('1'), to: msg('c') });
      const report = await imported(older, file, { mode: 'update' });
      expect(report.total).toMatchObject({ updated: 1, messages: 2, recovered: 0 });
      const ids = messagesIn(older, cnv('1'));
      expect(ids.slice(0, 5)).toEqual(messagesIn(source, cnv('1')).slice(0, 5));
      expect(getMessage(older.db, ids[5] as MessageId)?.parentId).toBe(msg('c'));
      expect(await asked(older, ids[6] as MessageId, 0)).toEqual(await asked(source, msg('e'), 0));
    } finally {
      older.remove();
    }
  });
});

describe('parts of a tree', () => {
  it('I1, I2: a path and a branch stand alone; the top of a branch is a plain root', async () => {
    tree(source);
    const path = await imported(target, await exported(source, cnv('1'), { scope: 'path', messageId: msg('c') }));
    expect(path.total).toMatchObject({ messages: 4, recovered: 0 });
    expect(await asked(target, tipOf(target), 0)).toEqual(await asked(source, msg('c'), 0));
    const branch = await imported(target, await exported(source, cnv('1'), { scope: 'subtree', messageId: msg('a') }), { mode: 'copy' });
    expect(branch.total).toMatchObject({ messages: 3, recovered: 0 });
    const newest = conversationsIn(target).find(({ tipId }) => readPath(target.db, tipId as MessageId).length === 3);
    expect(readPath(target.db, newest?.tipId as MessageId)[0]).toMatchObject({ parentId: null, role: 'assistant' });
  });

  it('X7: without its calls and steps each answer is retold', async () => {
    tree(source);
    const include = { toolCalls: false, reasoning: false, attachments: false, memory: false };
    const report = await imported(target, await exported(source, cnv('1'), { include }));
    expect(report.total.messages).toBe(5);
    expect(select(target.db, 'SELECT 1 FROM transcript_steps').all()).toEqual([]);
    expect(readPath(target.db, tipOf(target)).at(-1)).toMatchObject({ agentId: 'me', parts: [{ text: 'C' }] });
  });
});

describe('on the way', () => {
  it('R4: while it comes in nobody sees it; cancelled, nothing of it stays, and its blobs are loose', async () => {
    const made: MessageId[] = [];
    const hash = await source.blobs.write(Buffer.from('attached'), 'text/plain');
    say(source, made, 'u', null, { parts: [{ type: 'file', hash, mime: 'text/plain', name: 'a.txt', size: 8 }] });
    step(source, made, 'a', msg('u'), words('A'));
    const lines = (await exported(source, cnv('1'))).trimEnd().split('\n');
    const stop = new AbortController();
    // The signal comes where the last line is about to be taken.
    const blobs: typeof target.blobs = {
      ...target.blobs,
      async write(bytes, mime) {
        expect(conversationsIn(target)).toEqual([]);
        expect(readdirSync(join(target.folder, 'transcripts'))).toHaveLength(1);
        const written = await target.blobs.write(bytes, mime);
        stop.abort();
        return written;
      },
    };
    const report = await imported({ ...target, blobs }, `${lines.join('\n')}\n`, { signal: stop.signal });
    expect(report).toMatchObject({ ended: 'cancelled', total: { conversations: 0, messages: 0 } });
    nothingIn(target);
    expect([...looseHashes(target.db)]).toEqual([hash]);
  });

  it('R3, I4: onto a full disk: said, nothing of it stays, and later it goes in', async () => {
    tree(source);
    const file = await exported(source, cnv('1'));
    let isFull = true;
    const full: typeof disk = {
      ...disk,
      write: (...args) => {
        if (isFull) throw systemError('ENOSPC');
        return disk.write(...args);
      },
    };
    const transcripts = createTranscripts({ folder: join(target.folder, 'transcripts'), blobs: target.blobs, disk: full });
    const report = await imported({ ...target, transcripts }, file);
    expect(report).toMatchObject({ ended: 'failed', failure: { code: 'diskFull' }, total: { conversations: 0 } });
    expect(report.files[0]?.skipped).toEqual([{ title: 'A title', reason: 'notWritten' }]);
    nothingIn(target);
    isFull = false;
    expect((await imported({ ...target, transcripts }, file)).total.messages).toBe(5);
  });

  it('I3: a conversation whose messages would not fit into memory is given up on the way, and that is told', async () => {
    tree(source);
    const file = await exported(source, cnv('1'));
    const report = await imported({ ...target, mostGathered: 2000 } as Place, file);
    expect(report).toMatchObject({ ended: 'done', total: { conversations: 0 } });
    expect(report.files[0]?.skipped).toEqual([{ title: 'A title', reason: 'tooLarge' }]);
    nothingIn(target);
    expect((await imported({ ...target, mostGathered: 20_000 } as Place, file)).total.messages).toBe(5);
  });

  it('R2: what an import left that was cut off by the end of the program is removed by the next', async () => {
    tree(source);
    const file = await exported(source, cnv('1'));
    await imported(target, file);
    change(target.db, "UPDATE conversations SET trash_id = 'import'").run();
    change(target.db, 'DELETE FROM import_sources').run();
    await imported(target, file);
    expect(select(target.db, 'SELECT 1 FROM conversations').all()).toHaveLength(1);
    expect(select(target.db, 'SELECT 1 FROM messages').all()).toHaveLength(5);
    expect(readdirSync(join(target.folder, 'transcripts'))).toEqual([only(target)?.id]);
  });

  it('I2: several exports one after another in a file are several conversations', async () => {
    tree(source);
    const file = await exported(source, cnv('1'));
    const other = file.replaceAll('cnv_1', 'cnv_2').replaceAll('A title', 'Another');
    const report = await imported(target, file + other);
    expect(report.total).toMatchObject({ conversations: 2, messages: 10 });
    expect(
      conversationsIn(target)
        .map(({ title }) => title)
        .sort(),
    ).toEqual(['A title', 'Another']);
  });
});
