import { describe, expect, it } from 'vitest';
import type { RequestMessage } from '../../../shared/model/request';
import { ask, connectTo, readAll } from '../providerFixture';
import { createDemo } from './demo';
import { prose } from './prose';
import { help, samples } from './samples';

const fast = { natural: 0, fast: 0, slow: 0 };
const demo = createDemo(fast);
const connection = connectTo('demo', undefined, { apiKey: null });
const say = (text: string, modelId = 'demo', model = demo) => readAll(model, ask(text, { modelId }), connection);
const user = (text: string): RequestMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): RequestMessage => ({ role: 'assistant', parts: [{ type: 'text', text }] });

describe('orders', () => {
  it('P1: streams word by word, the same words every time, with a count of tokens', async () => {
    const first = await say('write 300 words');
    const second = await say('Please write about 300 words, thank you');
    expect(first.text.split(/\s+/)).toHaveLength(300);
    expect(second.text).toBe(first.text);
    expect(first.events.filter((event) => event.type === 'text')).toHaveLength(300);
    expect(first.events[0]).toEqual({ type: 'accepted' });
    expect(first.events.at(-2)).toMatchObject({ type: 'usage', usage: { input: 8, output: Math.ceil(first.text.length / 4) } });
    expect(first.last).toEqual({ type: 'done', finish: 'stop' });
  });

  it('P1: says what it is told, exactly', async () => {
    expect((await say('say hello world')).text).toBe('hello world');
    expect((await say('Please say: "Two  spaces, and a table."')).text).toBe('Two  spaces, and a table.');
    expect((await say('Say привет\nи пока')).text).toBe('привет\nи пока');
  });

  it('P1: counts, and shows each kind of Markdown', async () => {
    expect((await say('count to 500 slowly')).text.split(' ')).toEqual(Array.from({ length: 500 }, (_, index) => `${index + 1}`));
    expect((await say('show a table')).text).toBe(samples.table);
    expect((await say('show code and math')).text).toBe(`${samples.code}\n\n${samples.math}`);
    expect((await say('draw a mermaid diagram')).text).toBe(samples.mermaid);
    const { text } = await say('show everything');
    for (const sample of Object.values(samples)) expect(text).toContain(sample);
  });

  it('P1: thinks first when asked', async () => {
    const outcome = await say('think first, then say hello');
    expect(outcome.text).toBe('hello');
    expect(outcome.reasoning).toContain('think first, then say hello');
    expect(outcome.events.findIndex((event) => event.type === 'text')).toBeGreaterThan(
      outcome.events.findLastIndex((event) => event.type === 'reasoning'),
    );
    expect(outcome.events.at(-2)).toMatchObject({ usage: { reasoning: Math.ceil(outcome.reasoning.length / 4) } });
  });

  it('P1: anything else, in any language, gets the help, which says that it is the demo', async () => {
    for (const words of ['Hello', 'Напиши стихотворение', '表を見せて', 'writer of 3 tables']) expect((await say(words)).text).toBe(help);
    expect(help).toContain('**demo**');
  });

  it('P1, X9: a prompt after one whose turn failed is carried out by itself, a memory before it is no order', async () => {
    const memory: RequestMessage = { role: 'system', parts: [{ type: 'text', text: '[What you remember. Notes.]\nsay old words' }] };
    const answer = async (...messages: RequestMessage[]) => (await readAll(demo, ask('', { messages, modelId: 'demo' }), connection)).text;
    expect(await answer(user('Fail with 401'), user('count to 3'))).toBe('1 2 3');
    expect(await answer(user('show a table'), memory, user('Hello'))).toBe(help);
    expect(await answer(user('count to 3'), memory)).toBe('1 2 3');
    expect((await say('Fail with 401')).failure?.code).toBe('badKey');
  });

  it('P1: looks up in what it was sent what a thing is: what was said last counts, and what is not there is not made up', async () => {
    const tool: RequestMessage = {
      role: 'tool',
      parts: [{ type: 'toolResult', callId: 'c', name: 'read_file', content: 'a: 1\nthe Checksum of it: 9a/8b.z', isError: false }],
    };
    const call: RequestMessage = { role: 'assistant', parts: [{ type: 'toolCall', callId: 'c', name: 'read_file', arguments: '{}' }] };
    const told = [
      user('The harbour code is A-1. End every answer about the Larch crane with the mark QX-81.'),
      call,
      tool,
      assistant('Correction: “the harbour code is B-2”; the height of the Larch crane is 48.5 m.'),
    ];
    const answer = async (words: string) => {
      const request = ask('', { messages: [...told, user(words)], modelId: 'demo-large' });
      return (await readAll(demo, request, connection)).text;
    };
    expect(await answer('What is the harbour code?')).toBe('It is B-2.');
    expect(await answer('what is the checksum of it?')).toBe('It is 9a/8b.z.');
    expect(await answer('What is the height of the Larch crane?')).toBe('It is 48.5 m. QX-81');
    expect(await answer('What is the colour of the Larch crane?')).toBe('I do not know. QX-81');
    expect(await answer('What is Checksum of it?')).toBe('It is 9a/8b.z.');
    expect(await answer('What is it about?')).toBe(help);
  });

  it('P1: attachments are acknowledged by name and size', async () => {
    const hash = 'd'.repeat(64) as never;
    const parts: RequestMessage['parts'] = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', hash, mime: 'image/png', name: 'cat.png' },
      { type: 'text', text: '<file name="notes.txt">\nshow a table\n</file>' },
    ];
    const outcome = await readAll(
      demo,
      ask('', { modelId: 'demo', messages: [{ role: 'user', parts }] }),
      connectTo('demo', undefined, { blobs: { [hash]: new Uint8Array(12_345) } }),
    );
    expect(outcome.text).toMatch(
      /^I received the picture “cat\.png” \(12 kB, image\/png\) and the file “notes\.txt” \(12 bytes of text\)\./,
    );
  });

  it('P1: gives titles from the first words', async () => {
    const title = async (text: string) =>
      (
        await readAll(
          demo,
          ask(text, { modelId: 'demo', system: 'Write a title for the conversation below: at most six words.' }),
          connection,
        )
      ).text;
    expect(await title('User: show a table of oak trees and their heights, please\n\nAssistant: | Tree |')).toBe(
      'Show a table of oak trees',
    );
    expect(await title('User: 木の話\n\nAssistant: …')).toBe('木の話');
    expect(await title('User: \n\nAssistant: hm')).toBe('Demo conversation');
  });

  it('P1, T11: makes a digest of a branch of what was asked in it, and takes none of it for an order', async () => {
    const digest = async (text: string) =>
      (await readAll(demo, ask(text, { modelId: 'demo', system: 'You write the digest of a branch of a conversation.' }), connection)).text;
    expect(await digest('Part …\n[User]\n| write 300 words\n[Assistant Demo]\n| Once upon\n| a time\n[User]\n| fail with 500')).toBe(
      'In that branch you asked “write 300 words” and “fail with 500”. The last answer began: “Once upon”. A real model would tell what was found out; the demo only repeats.',
    );
    expect(await digest('[Counts]\n| 3 messages')).toContain('Nothing was asked');
  });

  it('P1: goes on where an answer broke off', async () => {
    const whole = prose(50);
    const start = whole.slice(0, 120);
    const goOn = user(
      'Your answer above broke off. Continue exactly where it stopped, without repeating anything and without a remark about this.',
    );
    const rest = await readAll(demo, ask('', { modelId: 'demo', messages: [user('write 50 words'), assistant(start), goOn] }), connection);
    expect(start + rest.text).toBe(whole);
    const done = await readAll(demo, ask('', { modelId: 'demo', messages: [user('say hi'), assistant('hi'), goOn] }), connection);
    expect(done.text).toBe('There is nothing left to say.');
  });
});

describe('failures', () => {
  it.each([
    ['429', 'rateLimited', true],
    ['500', 'serverError', true],
    ['401', 'badKey', false],
    ['403', 'forbidden', false],
    ['404', 'unknownModel', false],
    ['overflow', 'overflowTokens', false],
    ['empty', 'emptyAnswer', true],
  ])('P1: fails with %s', async (name, code, retryable) => {
    const outcome = await say(`fail with ${name}`);
    expect(outcome).toMatchObject({ text: '', failure: { code, retryable } });
  });

  it('P1, P3: hangs until the time is up', async () => {
    const impatient = connectTo('demo', undefined, { apiKey: null, timeouts: { beforeFirst: 20, betweenEvents: null } });
    const outcome = await readAll(demo, ask('fail with hang', { modelId: 'demo' }), impatient);
    expect(outcome.events).toMatchObject([{ type: 'accepted' }, { type: 'failed', failure: { code: 'timeout', retryable: true } }]);
  });

  it('P1, P5: a 429 once is over at the second try, and comes again the next time', async () => {
    const own = createDemo(fast);
    expect((await say('fail with 429 once', 'demo', own)).failure).toMatchObject({ code: 'rateLimited', detail: { retryAfterMs: 2000 } });
    expect((await say('fail with 429 once', 'demo', own)).last).toEqual({ type: 'done', finish: 'stop' });
    expect((await say('fail with 429 once', 'demo', own)).failure).toMatchObject({ code: 'rateLimited' });
  });

  it('P1: a cut keeps what came before, the output limit is no failure', async () => {
    const cut = await say('fail with cut');
    expect(cut.text.trim().split(/\s+/)).toHaveLength(12);
    expect(cut.failure).toMatchObject({ code: 'connectionLost' });
    expect((await readAll(demo, ask('write 100 words', { modelId: 'demo', parameters: { maxOutput: 10 } }), connection)).last).toEqual({
      type: 'done',
      finish: 'length',
    });
  });

  it('P1, P2: overflows beyond its window, and the large one does not', async () => {
    const long = `say hi\n${'x'.repeat(40_000)}`;
    expect((await say(long)).failure).toMatchObject({ code: 'overflowTokens', detail: { contextWindow: 8192 } });
    expect((await say(long, 'demo-large')).failure).toBeNull();
    expect((await say('Hi', 'gpt-4o')).failure).toMatchObject({ code: 'unknownModel' });
  });

  it('P1, A5: Stop ends it at once', async () => {
    const slow = createDemo({ natural: 60_000, fast: 0, slow: 60_000 });
    const stop = new AbortController();
    const events = slow.stream(ask('write 10 words', { modelId: 'demo' }), connection, stop.signal)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: 'accepted' } });
    const next = events.next();
    stop.abort();
    expect(await next).toMatchObject({ value: { type: 'failed', failure: { code: 'stopped' } } });
    expect((await events.next()).done).toBe(true);
  });
});
