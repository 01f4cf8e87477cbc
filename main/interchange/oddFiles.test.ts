// Files of known kinds that are odd in one way each: what a person exported comes in all the same, and nothing of it goes unsaid.
import { describe, expect, it } from 'vitest';
import { countsOf, readContent, textOfMessage } from './importFixture';

const lines = (...values: unknown[]) => values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
const said = (role: string, content: unknown, more: object = {}) => ({
  author: { role },
  content: typeof content === 'string' ? { content_type: 'text', parts: [content] } : content,
  ...more,
});
const chat = (id: string, mapping: object = { u: { parent: null, message: said('user', `asks ${id} é😀`) } }) => ({
  conversation_id: id,
  title: id,
  mapping,
});

describe('whole files', () => {
  it('I3, I4: lines of JSON whose first one is long are all read, wherever chunks end', async () => {
    const long = chat('a', { u: { parent: null, message: said('user', 'word '.repeat(400_000)) } });
    const read = await readContent(lines(long, chat('b'), '{"broken": nonsense}', chat('c')));
    expect(read.conversations.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
    expect(read.skipped.map(({ reason }) => reason)).toEqual(['unreadable']);
  });

  it('I4: what stands behind the end of a list or of a backup is not passed over in silence', async () => {
    const twoLists = await readContent(`${JSON.stringify([chat('a')])}\n${JSON.stringify([chat('b')])}`);
    expect([twoLists.conversations.length, twoLists.skipped.length]).toEqual([1, 1]);
    const session = { id: 's', name: 'S', messages: [{ id: 'u', role: 'user', contentParts: [{ type: 'text', text: 'asks' }] }] };
    const backup = await readContent(`${JSON.stringify({ 'session:s': session }, null, 2)}\n{"more":1}`);
    expect([backup.conversations.length, backup.skipped.length]).toEqual([1, 1]);
  });

  it('I4: a list that ends between two conversations is cut, too; an export of nothing is JSON', async () => {
    const whole = JSON.stringify([chat('a'), chat('b')]);
    for (let end = 1; end < whole.length; end += 5) expect((await readContent(whole.slice(0, end))).problems).toEqual(['cut']);
    expect((await readContent('{')).problems).toEqual(['cut']);
    expect((await readContent('{}')).problems).toEqual(['notRecognized']);
    expect((await readContent({ conversations: [] })).problems).toEqual(['notRecognized']);
  });

  it('I3: UTF-16 is known without the mark of an editor, too', async () => {
    const little = Buffer.from(JSON.stringify([chat('a')], null, 2), 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const [conversation] = (await readContent(bytes)).conversations;
      expect(textOfMessage(conversation!.messages[0]!)).toBe('asks a é😀');
    }
  });

  it('R4, T7: sixty thousand records of one id are kept, and in no time that grows with their square', async () => {
    const messages = Array.from({ length: 60_000 }, (_, at) => ({ messageId: 'same', parentMessageId: null, text: `${at}` }));
    const [conversation] = (await readContent({ conversationId: 'c', messages })).conversations;
    expect(new Set(conversation?.messages.map(({ sourceId }) => sourceId)).size).toBe(60_000);
  });

  it('I3: times may be seconds, milliseconds, microseconds, nanoseconds, in digits or words; nonsense is none', async () => {
    const at = Date.parse('2023-11-14T22:13:20.000Z');
    const times = [at / 1000, at, at * 1e3, at * 1e6, `${at / 1000}`, '2023-11-14T22:13:20Z', 1e300, -5, 'soon', true, null];
    const mapping = Object.fromEntries(
      times.map((create_time, n) => [`m${n}`, { parent: null, message: said('user', 'asks', { create_time }) }]),
    );
    const [conversation] = (await readContent([chat('a', mapping)])).conversations;
    const found = new Map(conversation?.messages.map(({ sourceId, createdAt }) => [sourceId, createdAt]));
    expect(times.map((_, n) => found.get(`m${n}`))).toEqual([at, at, at, at, at, at, null, null, null, null, null]);
  });
});

describe('records', () => {
  it('T7: parents may name the id inside a record where it is not the one in the map', async () => {
    const gpt = chat('a', {
      k1: { id: 'i1', parent: null, message: said('user', 'asks') },
      k2: { id: 'i2', parent: 'i1', message: said('assistant', 'says') },
    });
    const webui = {
      history: {
        currentId: 'k2',
        messages: {
          k1: { id: 'i1', parentId: null, role: 'user', content: 'asks' },
          k2: { id: 'i2', parentId: 'k1', role: 'assistant', content: 'says' },
        },
      },
    };
    for (const file of [[{ ...gpt, current_node: 'i2' }], [{ id: 'c', chat: webui }]])
      expect(countsOf((await readContent(file)).conversations[0]!)).toMatchObject({
        path: 2,
        roots: 1,
        recoveredRoots: 0,
        pathBy: 'pointer',
      });
  });

  it('I4: a ChatGPT message of attachments alone is one, also without content', async () => {
    const message = said('user', null, { metadata: { attachments: [{ id: 'file-a', name: 'a.pdf' }] } });
    const [conversation] = (await readContent([chat('a', { u: { parent: null, message } })])).conversations;
    expect(conversation?.messages[0]?.parts).toMatchObject([{ type: 'attachment', name: 'a.pdf' }]);
  });

  it('I4: files of a Claude message that have the same name are all there, once each', async () => {
    const files = [
      { file_name: 'image.png', file_uuid: '1' },
      { file_name: 'image.png', file_uuid: '2' },
      { file_name: 'a.pdf', file_uuid: '3' },
    ];
    const attachments = [
      { file_name: 'a.pdf', extracted_content: 'A' },
      { file_name: 'paste.txt', extracted_content: 'B' },
      { file_name: 'paste.txt', extracted_content: 'C' },
    ];
    const message = { uuid: 'u', sender: 'human', text: 'asks', attachments, files, files_v2: files, parent_message_uuid: null };
    const [conversation] = (await readContent([{ uuid: 'c', name: 'a', chat_messages: [message] }])).conversations;
    expect(conversation?.messages[0]?.parts.flatMap((part) => (part.type === 'attachment' ? [part.name] : []))).toEqual([
      'a.pdf',
      'paste.txt',
      'paste.txt',
      'image.png',
      'image.png',
    ]);
  });

  it('I3, T7: LibreChat: what is nested hangs where it is when it names no parent; a conversation may lack its id', async () => {
    const nested = { messageId: 'a', parentMessageId: null, sender: 'Model', text: 'says', children: [] };
    const messages = [{ messageId: 'u', parentMessageId: null, isCreatedByUser: true, text: 'asks', children: [nested] }];
    for (const id of ['c', null]) {
      const [conversation] = (await readContent({ conversationId: id, title: 'T', messages })).conversations;
      expect(countsOf(conversation!)).toMatchObject({ messages: 2, path: 2, roots: 1 });
    }
  });

  it('I3, I4: pi: a header that is damaged or says little costs no message and no branch', async () => {
    const entry = (id: string, parentId: string | null, role: string) => ({
      type: 'message',
      id,
      parentId,
      message: { role, content: id },
    });
    const entries = [entry('u', null, 'user'), entry('a', 'u', 'assistant'), entry('b', 'u', 'assistant')];
    for (const header of [
      '{"type":"session","version":3,"id":"S","ti',
      { type: 'session', version: 3, id: 'S', cwd: '/home/me/project' },
    ]) {
      const read = await readContent(lines(header, ...entries), 'a.jsonl');
      expect(read.formats).toEqual(['pi']);
      expect(countsOf(read.conversations[0]!)).toMatchObject({ messages: 3, branchPoints: 1, leaves: 2 });
    }
  });

  it('I4: llama.cpp: an empty list of calls is none, whether written or not; half a list is kept as it is', async () => {
    const record = (id: string, content: string, toolCalls: unknown) => ({
      type: 'message',
      message: { convId: 'C', id, parent: null, role: 'assistant', content, toolCalls },
    });
    const read = await readContent(
      lines(
        { type: 'session', harness: 'h', id: 'C' },
        record('a', 'says', '[]'),
        record('b', '', '[]'),
        record('c', 'says', []),
        record('d', '', '[{'),
      ),
      'a.jsonl',
    );
    expect(read.conversations[0]?.messages.map(({ sourceId, parts }) => [sourceId, ...parts.map(({ type }) => type)])).toEqual([
      ['a', 'text'],
      ['c', 'text'],
      ['d', 'raw'],
    ]);
  });

  it('I3, I4: SillyTavern: one line is a chat, and what newer versions attach is told', async () => {
    const extra = { files: [{ name: 'f.txt', url: '/user/files/f.txt' }], media: [{ url: '/user/images/a.png', type: 'image' }] };
    const [conversation] = (await readContent(lines({ name: 'S', is_user: false, mes: 'Hello', extra }), 'a.jsonl')).conversations;
    expect(conversation?.messages[0]?.parts.map((part) => (part.type === 'attachment' ? part.name : part.type))).toEqual([
      'f.txt',
      'a.png',
      'text',
    ]);
  });

  it('I3: an answer that names no model goes by who gave it in the source', async () => {
    const gpt = { u: { parent: null, message: said('assistant', 'says') } };
    const claude = { uuid: 'c', name: 'a', chat_messages: [{ uuid: 'u', sender: 'assistant', text: 'says' }] };
    const libre = { conversationId: 'c', messages: [{ messageId: 'a', text: 'says', sender: 'Mixtral' }] };
    const tavern = lines({ name: 'Seraphina', is_user: false, mes: 'Hello' }, { name: 'Me', is_user: true, mes: 'Hi' });
    const files = [[chat('a', gpt)], [claude], libre, tavern];
    const found = await Promise.all(
      files.map(async (file) => (await readContent(file)).conversations[0]?.messages.map(({ model }) => model)),
    );
    expect(found).toEqual([['ChatGPT'], ['Claude'], ['Mixtral'], ['Seraphina', undefined]]);
  });
});
