// Conversations and the small tables beside them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId, BlobHash } from '../../shared/model/ids';
import { addBlobRow, getBlobRow } from './blobRows';
import {
  createConversation,
  getConversation,
  listConversations,
  renameConversation,
  setArchived,
  setConversationAgent,
  setPinned,
} from './conversations';
import { connectionOf } from './database';
import { readDraft, saveDraft } from './drafts';
import { appendMessage } from './messages';
import { getMeta, setMeta } from './meta';
import { agentNamed, cnv, codeOf, makeMessage, makeStore, type TestStore } from './storeFixture';
import { rememberAgent, usedAgent, usedAgents } from './usedAgents';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const make = (name: string, now: number, title = name) => createConversation(test.db, { id: cnv(name), now, agentId: null, title });
const listed = (args: { query?: string; archived?: boolean } = {}) =>
  listConversations(test.db, { archived: false, ...args }).map(({ id }) => id.replace('cnv_', ''));

describe('conversations', () => {
  it('T3: a new one is empty: no tip, no title of anybody', () => {
    expect(createConversation(test.db, { id: cnv('1'), now: 7, agentId: 'demo' as AgentId })).toEqual({
      id: cnv('1'),
      title: '',
      titleSource: 'none',
      tipId: null,
      agentId: 'demo',
      pinned: false,
      archived: false,
      createdAt: 7,
      updatedAt: 7,
    });
    expect(getConversation(test.db, cnv('2'))).toBeUndefined();
  });

  it('U1: pinned first, the last pinned on top, then the newest change', () => {
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) make(name, index);
    setPinned(test.db, { conversationId: cnv('b'), pinned: true, now: 100 });
    setPinned(test.db, { conversationId: cnv('a'), pinned: true, now: 101 });
    appendMessage(test.db, { message: makeMessage('x', null, { conversationId: cnv('c'), createdAt: 50 }), tip: 'follow' });
    expect(listed()).toEqual(['a', 'b', 'c', 'e', 'd']);
    expect(setPinned(test.db, { conversationId: cnv('a'), pinned: false, now: 102 }).pinned).toBe(false);
    expect(listed()).toEqual(['b', 'c', 'e', 'd', 'a']);
  });

  it('U1: archived ones are a list of their own', () => {
    make('a', 1);
    make('b', 2);
    expect(setArchived(test.db, { conversationId: cnv('b'), archived: true, now: 9 }).archived).toBe(true);
    expect([listed(), listed({ archived: true })]).toEqual([['a'], ['b']]);
    setArchived(test.db, { conversationId: cnv('b'), archived: false, now: 10 });
    expect(listed()).toEqual(['b', 'a']);
  });

  it('U1: titles are found without regard to case, accents and width, in any script', () => {
    make('fr', 1, 'Été à la Crème');
    make('ru', 2, 'Ещё одна ВЕСНА');
    make('ja', 3, '東京の天気とｶﾀｶﾅ');
    make('en', 4, 'Straight 100% line_up');
    const found = (query: string) => listed({ query }).join();
    expect([found('ete'), found('CRÈME'), found('a creme')]).toEqual(['fr', 'fr', 'fr']);
    expect([found('еще весна'), found('весн')]).toEqual(['ru', 'ru']);
    expect([found('天気'), found('カタカナ')]).toEqual(['ja', 'ja']);
    expect([found('100%'), found('line_'), found('lineXup'), found('  ')]).toEqual(['en', 'en', '', 'en,ja,ru,fr']);
  });

  it('U1: a machine’s title never replaces one by the user', () => {
    make('a', 1, '');
    expect(renameConversation(test.db, { conversationId: cnv('a'), title: 'By role', source: 'auto' })).toMatchObject({
      title: 'By role',
      titleSource: 'auto',
    });
    expect(renameConversation(test.db, { conversationId: cnv('a'), title: 'Mine', source: 'user' })).toMatchObject({
      title: 'Mine',
      titleSource: 'user',
    });
    expect(renameConversation(test.db, { conversationId: cnv('a'), title: 'Again', source: 'auto' })).toMatchObject({
      title: 'Mine',
      titleSource: 'user',
    });
  });

  it('A1: remembers which agent answers next', () => {
    make('a', 1);
    expect(setConversationAgent(test.db, { conversationId: cnv('a'), agentId: 'b' as AgentId }).agentId).toBe('b');
  });

  it('R3: changes to one that is not there are refused', () => {
    expect(codeOf(() => setPinned(test.db, { conversationId: cnv('none'), pinned: true, now: 1 }))).toBe('notFound');
    expect(codeOf(() => renameConversation(test.db, { conversationId: cnv('none'), title: 'x', source: 'user' }))).toBe('notFound');
  });
});

describe('drafts', () => {
  const image = { type: 'image', hash: 'a'.repeat(64) as BlobHash, mime: 'image/png', name: 'p.png', size: 3 } as const;

  it('U4: are kept as they are, with attachments, and an empty one leaves no row', () => {
    const draft = { text: 'half a\nthought', attachments: [image], agentId: 'demo' as AgentId };
    saveDraft(test.db, { key: 'new', draft: { text: 'x', attachments: [] }, now: 1 });
    saveDraft(test.db, { key: 'new', draft, now: 2 });
    expect(readDraft(test.db, 'new')).toEqual(draft);
    saveDraft(test.db, { key: 'new', draft: { text: '', attachments: [] }, now: 3 });
    expect(readDraft(test.db, 'new')).toEqual({ text: '', attachments: [] });
    expect(connectionOf(test.db).prepare('SELECT count(*) FROM drafts').pluck().get()).toBe(0);
  });

  it('R3: one that cannot be read is empty', () => {
    saveDraft(test.db, { key: 'new', draft: { text: 'x', attachments: [] }, now: 1 });
    for (const bad of ['{', '[]', '{"text":1}', '{"text":"a","attachments":[{"type":"text","text":"no file"}]}']) {
      connectionOf(test.db).prepare('UPDATE drafts SET draft = ?').run(bad);
      expect(readDraft(test.db, 'new').text).toBe('');
    }
  });
});

describe('agents a conversation used', () => {
  it('W2: a copy as it was used last, approvals reset to ask; what cannot be read is left out', () => {
    make('a', 1);
    rememberAgent(test.db, { conversationId: cnv('a'), agent: { ...agentNamed('one'), systemPrompt: 'old' } });
    rememberAgent(test.db, { conversationId: cnv('a'), agent: { ...agentNamed('two'), approval: 'auto-edit' } });
    rememberAgent(test.db, { conversationId: cnv('a'), agent: { ...agentNamed('one'), systemPrompt: 'new' } });
    expect(usedAgents(test.db, cnv('a'))).toEqual([{ ...agentNamed('one'), systemPrompt: 'new' }, agentNamed('two')]);
    make('b', 2);
    rememberAgent(test.db, { conversationId: cnv('b'), agent: { ...agentNamed('two'), systemPrompt: 'newest', approval: 'auto-edit' } });
    expect(usedAgent(test.db, 'two' as AgentId)).toEqual({ ...agentNamed('two'), systemPrompt: 'newest' });
    expect(usedAgent(test.db, 'nobody' as AgentId)).toBeUndefined();
    connectionOf(test.db).exec(`UPDATE conversation_agents SET agent = '{"id":1}' WHERE agent_id = 'one'`);
    expect(usedAgents(test.db, cnv('a'))).toEqual([agentNamed('two')]);
  });
});

describe('blobs and facts', () => {
  it('W2: the first row of a hash stays', () => {
    const blob = { hash: 'b'.repeat(64) as BlobHash, size: 3, mime: 'text/plain', createdAt: 5 };
    addBlobRow(test.db, blob);
    addBlobRow(test.db, { ...blob, mime: 'text/html', createdAt: 9 });
    expect(getBlobRow(test.db, blob.hash)).toEqual(blob);
    expect(getBlobRow(test.db, 'c'.repeat(64) as BlobHash)).toBeUndefined();
  });

  it('R1: facts about the database are replaced', () => {
    expect(getMeta(test.db, 'checkedAt')).toBeUndefined();
    setMeta(test.db, 'checkedAt', '1');
    setMeta(test.db, 'checkedAt', '2');
    expect(getMeta(test.db, 'checkedAt')).toBe('2');
  });
});
