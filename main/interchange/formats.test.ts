// What the samples do not show of each format: older shapes, other kinds of parts, and the choices that were made.
import { describe, expect, it } from 'vitest';
import type { ImportedConversation } from './importedTree';
import { countsOf, pathOf, readContent, textOfMessage } from './importFixture';

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const partsOf = (conversation: ImportedConversation | undefined, at: number) => conversation?.messages[at]?.parts;

describe('ChatGPT', () => {
  const node = (id: string, parent: string | null, author: object, content: object, more: object = {}) => [
    id,
    { id, parent, message: { id, author, create_time: Number(id.replace(/\D/g, '')), content, recipient: 'all', weight: 1, ...more } },
  ];
  const user = { role: 'user' };
  const assistant = { role: 'assistant' };
  const text = (words: string) => ({ content_type: 'text', parts: [words] });

  it('I3: thoughts, call, result and words of one run are the parts of one message, the result as its call’s summary', async () => {
    const mapping = Object.fromEntries([
      node('1', null, user, text('How many?')),
      node('2', '1', assistant, { content_type: 'thoughts', thoughts: [{ summary: 'Count', content: 'I count.' }] }),
      node('3', '2', assistant, { content_type: 'code', text: 'print(1)' }, { recipient: 'python' }),
      node('4', '3', { role: 'tool', name: 'python' }, { content_type: 'execution_output', text: 'one\ntwo' }),
      node('5', '4', assistant, text('One.')),
    ]);
    const [conversation] = (await readContent([{ id: 'c', mapping, current_node: '5' }])).conversations;
    expect(countsOf(conversation!)).toMatchObject({ messages: 2, folded: 3, path: 2 });
    expect(partsOf(conversation, 1)).toEqual([
      { type: 'reasoning', text: 'Count\n\nI count.', source: 'thoughts' },
      { type: 'toolCall', callId: '3', name: 'python', arguments: 'print(1)', summary: 'one…' },
      { type: 'raw', source: 'chatgpt/toolResult', json: '{"callId":"3","text":"one\\ntwo"}' },
      { type: 'text', text: 'One.' },
    ]);
  });

  it('I3, Z3: citations become links to the web, and nothing else', async () => {
    const mark = (name: string) => `\ue200cite\ue202${name}\ue201`;
    const references = [
      { matched_text: mark('a'), items: [{ title: 'A [page]', url: 'https://example.org/a' }] },
      { matched_text: mark('b'), items: [{ title: 'B', url: 'javascript:alert(1)' }] },
    ];
    const mapping = Object.fromEntries([
      node('1', null, assistant, text(`So ${mark('a')} and ${mark('b')} and ${mark('c')}.`), {
        metadata: { content_references: references },
      }),
    ]);
    const [conversation] = (await readContent([{ id: 'c', mapping }])).conversations;
    expect(textOfMessage(conversation!.messages[0]!)).toBe('So ([A  page](https://example.org/a)) and and.');
  });

  it('I3, Z3: places of sources in older answers, counted in characters, become links, too', async () => {
    const words = '😀 Founded in 2014【3:0†source】【3:1†source】, bought【3:4†source】. 【a note】';
    const place = (mark: string) => {
      const start = [...words.slice(0, words.indexOf(mark))].length;
      return { start_ix: start, end_ix: start + [...mark].length };
    };
    const citations = [
      { ...place('【3:4†source】'), metadata: { title: 'C', url: 'https://example.org/c' } },
      { ...place('【3:0†source】'), metadata: { title: 'A', url: 'https://example.org/a' } },
      { ...place('【3:1†source】'), metadata: { title: 'B', url: 'javascript:alert(1)' } },
      { start_ix: 2, end_ix: 9, metadata: { title: 'D', url: 'https://example.org/d' } },
      { start_ix: -4, end_ix: 1e9, metadata: null },
    ];
    const mapping = Object.fromEntries([node('1', null, assistant, text(words), { metadata: { citations } })]);
    const [conversation] = (await readContent([{ id: 'c', mapping }])).conversations;
    expect(textOfMessage(conversation!.messages[0]!)).toBe(
      '😀 Founded in 2014 ([A](https://example.org/a))【3:1†source】, bought ([C](https://example.org/c)). 【a note】',
    );
  });

  it('I3, T7: thoughts before several answers stand in each; a run that leads nowhere is one message', async () => {
    const mapping = Object.fromEntries([
      node('1', null, user, text('Go')),
      node('2', '1', assistant, { content_type: 'thoughts', thoughts: 'hm' }),
      node('3', '2', assistant, text('A')),
      node('4', '2', assistant, text('B')),
      node('5', '2', assistant, { content_type: 'code', text: 'x' }, { recipient: 'python' }),
      node('6', '5', { role: 'tool', name: 'python' }, { content_type: 'execution_output', text: 'y' }),
    ]);
    const [conversation] = (await readContent([{ id: 'c', mapping, current_node: '6' }])).conversations;
    expect(conversation?.messages.map(({ sourceId, parts }) => [sourceId, parts.map(({ type }) => type)])).toEqual([
      ['1', ['text']],
      ['3', ['reasoning', 'text']],
      ['4', ['reasoning', 'text']],
      ['5', ['reasoning', 'toolCall']],
    ]);
    expect(conversation?.tipId).toBe('5');
  });
});

describe('Open WebUI', () => {
  it('I3: reasoning in the text of older files becomes reasoning; pictures inside the file are found', async () => {
    const content = '<details type="reasoning" done="true"><summary>Thought</summary>\n&gt; a &amp; b\n</details>\nYes.';
    const messages = {
      a: {
        id: 'a',
        parentId: null,
        role: 'user',
        content: 'Q',
        files: [
          { type: 'image', url: 'data:image/png;base64,AAAA' },
          { type: 'file', name: 'n.txt', file: { data: { content: 'note' } } },
        ],
      },
      b: { id: 'b', parentId: 'a', role: 'assistant', content, error: { content: 'broke' } },
    };
    const [conversation] = (await readContent([{ id: 'c', title: 't', chat: { history: { messages, currentId: 'b' } } }])).conversations;
    expect(partsOf(conversation, 1)).toEqual([
      { type: 'reasoning', text: 'a & b', source: 'reasoning' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect(conversation?.messages[1]).toMatchObject({ status: 'interrupted', failure: { message: 'broke' } });
    expect(partsOf(conversation, 0)?.flatMap((part) => (part.type === 'attachment' ? [part.bytes] : []))).toEqual([
      { from: 'base64', data: 'AAAA' },
      { from: 'text', text: 'note' },
    ]);
  });
});

describe('LibreChat', () => {
  it('I3: calls, thoughts and errors in blocks; a flat list without parents is a line', async () => {
    const messages = [
      { messageId: 'a', isCreatedByUser: true, text: 'Q' },
      {
        messageId: 'b',
        isCreatedByUser: false,
        model: 'm',
        content: [
          { type: 'think', think: 'hm' },
          { type: 'tool_call', tool_call: { id: 't', name: 'search', args: '{"q":1}', output: 'found' } },
          { type: 'text', text: { value: 'A' } },
        ],
      },
    ];
    const [conversation] = (await readContent({ conversationId: 'c', title: 't', messages })).conversations;
    expect(pathOf(conversation!)).toHaveLength(2);
    expect(partsOf(conversation, 1)).toEqual([
      { type: 'reasoning', text: 'hm', source: 'think' },
      { type: 'toolCall', callId: 't', name: 'search', arguments: '{"q":1}', summary: 'found' },
      { type: 'text', text: 'A' },
    ]);
  });
});

describe('Chatbox', () => {
  const message = (id: string) => ({ id, role: 'user', contentParts: [{ type: 'text', text: id }] });
  const backup = (session: object) => ({ 'session:s': { id: 's', name: 'S', ...session } });

  it('I3, T7: tails of a message that is gone are an extra root; forks that name each other end', async () => {
    const messageForksHash = {
      gone: { position: 1, lists: [{ messages: [message('x'), message('y')] }, { messages: [] }] },
      p: { position: 1, lists: [{ messages: [message('q')] }, { messages: [] }] },
      q: { position: 1, lists: [{ messages: [message('p')] }, { messages: [] }] },
    };
    const [conversation] = (await readContent(backup({ messages: [message('a'), message('b')], messageForksHash }))).conversations;
    expect(countsOf(conversation!)).toMatchObject({ messages: 6, roots: 3, path: 2 });
    expect(conversation?.messages.find(({ sourceId }) => sourceId === 'x')).toMatchObject({ recovered: true, parentId: 'gone' });
  });

  it('I3: a fork inside a thread belongs to the thread', async () => {
    const messageForksHash = { b: { position: 1, lists: [{ messages: [message('c2')] }, { messages: [] }] } };
    const threads = [{ id: 't', name: 'T', messages: [message('b'), message('c')] }];
    const { conversations } = await readContent(backup({ messages: [message('a')], threads, messageForksHash }));
    expect(conversations.map((one) => [one.title, one.messages.length])).toEqual([
      ['S', 1],
      ['T', 3],
    ]);
  });
});

describe('pi', () => {
  const header = { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00Z' };
  const message = (role: string, text: string, more: object = {}) => ({
    type: 'message',
    timestamp: '2026-01-01T00:00:01Z',
    message: { role, content: text },
    ...more,
  });

  it('I3: version 1 has no parents: the order of its lines is the tree', async () => {
    const [conversation] = (
      await readContent(lines(header, message('user', 'a'), message('assistant', 'b'), message('user', 'c')), 'x.jsonl')
    ).conversations;
    expect(pathOf(conversation!).map(textOfMessage)).toEqual(['a', 'b', 'c']);
  });

  it('I3: a session of one line has nothing to show; two sessions in a file are two conversations', async () => {
    expect(await readContent(lines(header), 'x.jsonl')).toMatchObject({ formats: ['pi'], skipped: [{ reason: 'noMessages' }] });
    const two = lines(header, message('user', 'a'), { ...header, id: 't' }, message('user', 'b'));
    expect((await readContent(two, 'x.jsonl')).conversations.map(({ sourceId }) => sourceId)).toEqual(['s', 't']);
  });

  it('I3: an answer that failed is kept with its failure, one that was stopped before a word is not', async () => {
    const failed = {
      type: 'message',
      id: 'b',
      parentId: 'a',
      message: { role: 'assistant', content: [], stopReason: 'error', errorMessage: 'overloaded' },
    };
    const [conversation] = (
      await readContent(lines({ ...header, version: 3 }, message('user', 'q', { id: 'a', parentId: null }), failed), 'x.jsonl')
    ).conversations;
    expect(conversation?.messages[1]).toMatchObject({ status: 'interrupted', failure: { message: 'overloaded' } });
  });
});

describe('llama.cpp', () => {
  it('I3: older exports are one JSON; attachments lie in the message', async () => {
    const messages = [
      { id: 'r', type: 'root', role: 'system', content: '', parent: null },
      {
        id: 'a',
        role: 'user',
        type: 'text',
        content: 'Q',
        parent: 'r',
        extra: [
          { type: 'IMAGE', name: 'x.png', base64Url: 'data:image/png;base64,AAAA' },
          { type: 'TEXT', name: 'n.txt', content: 'note' },
        ],
      },
    ];
    for (const content of [
      { conv: { id: 'c', name: 'N', currNode: 'a' }, messages },
      [{ conv: { id: 'c', name: 'N', currNode: 'a' }, messages }],
    ]) {
      const read = await readContent(content);
      expect(read.formats).toEqual(['llamacpp']);
      expect(partsOf(read.conversations[0], 0)?.flatMap((part) => (part.type === 'attachment' ? [part.bytes] : []))).toEqual([
        { from: 'base64', data: 'AAAA' },
        { from: 'text', text: 'note' },
      ]);
    }
  });
});

describe('SillyTavern', () => {
  const line = (mes: string, more: object = {}) => ({
    name: 'A',
    is_user: false,
    is_system: false,
    send_date: '2026-03-08@20h00m00s',
    mes,
    extra: {},
    ...more,
  });

  it('I3: an unusable swipe_id chooses the swipe that is shown, or what is shown stands beside all of them', async () => {
    const [equal] = (
      await readContent(lines({ chat_metadata: {} }, line('two', { swipes: ['one', 'two', ''], swipe_id: 9 }), line('next')), 'A.jsonl')
    ).conversations;
    expect(pathOf(equal!).map(textOfMessage)).toEqual(['two', 'next']);
    expect(countsOf(equal!)).toMatchObject({ messages: 3, roots: 2 });
    const [beside] = (await readContent(lines({ chat_metadata: {} }, line('other', { swipes: ['one', 'two'], swipe_id: -1 })), 'A.jsonl'))
      .conversations;
    expect(countsOf(beside!)).toMatchObject({ messages: 3, path: 1 });
    expect(beside?.messages[0]?.createdAt).toBe(new Date(2026, 2, 8, 20).getTime());
  });
});

describe('LM Studio', () => {
  it('I3: versions are siblings, what follows hangs under the chosen one', async () => {
    const said = (role: string, text: string) => ({ type: 'singleStep', role, content: [{ type: 'text', text }] });
    const answer = (text: string) => ({
      type: 'multiStep',
      role: 'assistant',
      steps: [
        { type: 'contentBlock', style: { type: 'thinking' }, content: [{ type: 'text', text: 'hm' }] },
        { type: 'contentBlock', content: [{ type: 'text', text }], genInfo: { indexedModelIdentifier: 'some/model' } },
      ],
    });
    const content = {
      name: 'N',
      createdAt: 1_700_000_000_000,
      messages: [
        { versions: [said('user', 'Q')], currentlySelected: 0 },
        { versions: [answer('A'), answer('B')], currentlySelected: 0 },
        { versions: [said('user', 'R')], currentlySelected: 0 },
      ],
    };
    const read = await readContent(content, '1700000000000.conversation.json');
    expect(read.formats).toEqual(['lmstudio']);
    const [conversation] = read.conversations;
    expect(conversation?.sourceId).toBe('1700000000000');
    expect(pathOf(conversation!).map(textOfMessage)).toEqual(['Q', 'A', 'R']);
    expect(countsOf(conversation!)).toMatchObject({ messages: 4, leaves: 2, branchPoints: 1 });
  });
});
