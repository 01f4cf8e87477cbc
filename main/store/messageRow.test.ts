// What goes into a row comes out of it, whatever it is; what another program put there does no harm.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureCodes } from '../../shared/model/failure';
import { failureSchema } from '../../shared/model/failureSchema';
import type { AgentId, BlobHash, TurnId } from '../../shared/model/ids';
import type { Message, Part } from '../../shared/model/message';
import { parseJson } from '../lib/parseJson';
import { connectionOf, transaction } from './database';
import { readJson } from './json';
import { appendMessage, getMessage, readPath, readTail } from './messages';
import { loadParts, parseParts, storeParts } from './parts';
import { cnv, makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';

const text = fc.string({ unit: 'binary', maxLength: 60 });
const hash = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
  .map((digits) => digits.join('') as BlobHash);
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text, source: text }),
  fc.record({ type: fc.constant('reasoning' as const), text }),
  fc.record({ type: fc.constant('image' as const), hash, mime: text, name: text, size: fc.nat(), width: fc.nat(), height: fc.nat() }),
  fc.record({
    type: fc.constant('file' as const),
    hash,
    mime: text,
    name: text,
    size: fc.nat(),
    textHash: hash,
    textLength: fc.nat(),
    pages: fc.nat(),
  }),
  fc.record({ type: fc.constant('toolCall' as const), callId: text, name: text, arguments: text, summary: text, isError: fc.boolean() }),
  fc.record({ type: fc.constant('raw' as const), source: text, json: text }),
);
const facts: fc.Arbitrary<Partial<Message>> = fc.record(
  {
    role: fc.constantFrom('user' as const, 'assistant' as const, 'digest' as const),
    status: fc.constantFrom('complete' as const, 'interrupted' as const),
    agentId: fc.constant('an agent' as AgentId),
    turnId: fc.constant('trn_1' as TurnId),
    model: text,
    usage: fc.record(
      { input: fc.nat(), output: fc.nat(), reasoning: fc.nat(), cachedInput: fc.nat(), estimated: fc.constant(true) },
      { requiredKeys: ['input', 'output'] },
    ),
    edited: fc.boolean(),
    finish: fc.constantFrom('length' as const, 'filtered' as const),
    failure: fc.record({
      code: fc.constantFrom(...failureCodes),
      message: text,
      retryable: fc.boolean(),
      detail: fc.record({ status: fc.nat(), providerText: text, url: text, limit: fc.nat() }),
    }),
    durationMs: fc.nat(),
    digest: fc.record({ from: fc.constant(msg('x')), label: fc.string() }),
    createdAt: fc.nat(),
  },
  { requiredKeys: [] },
);

describe('content', () => {
  it('T1: any parts come back as they were', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        expect(loadParts(storeParts(parts))).toEqual(parts);
      }),
    );
  });

  it('T1: one text is kept as it stands, so that other programs can read it and none has to parse it', () => {
    expect(storeParts([{ type: 'text', text: 'a "b"\n' }])).toEqual({ text: 'a "b"\n', parts: null });
    expect(storeParts([])).toEqual({ text: null, parts: '[]' });
    expect(loadParts({ text: null, parts: null })).toEqual([]);
    expect(loadParts({ text: 'both', parts: '[{"type":"text","text":"parts win"}]' })).toEqual([{ type: 'text', text: 'parts win' }]);
  });

  it('I4, T7: what no part is stays as raw JSON, each piece for itself', () => {
    const odd = [
      { type: 'video', url: 'x' },
      'text',
      null,
      7,
      { type: 'text' },
      { type: 'text', text: 3 },
      { type: 'image', hash: '../../etc' },
      { type: 'toolCall', callId: 'c', name: 'read' },
      { type: 'toolCall', callId: 'c', name: 'read', arguments: {} },
      { type: 'toolCall', callId: 'c', name: 'read', arguments: '{}', summary: 1 },
      { type: 'toolCall', callId: 'c', name: 'read', arguments: '{}', isError: 'no' },
      { type: 'toolCall', callId: 'c', name: 'read', arguments: '{}', durationMs: '1' },
    ];
    const json = JSON.stringify([...odd, { type: 'text', text: 'fine' }]);
    expect(parseParts(json)).toEqual([
      ...odd.map((piece) => ({ type: 'raw', source: 'database', json: JSON.stringify(piece) })),
      { type: 'text', text: 'fine' },
    ]);
  });

  it('T7: any text at all in the column gives parts and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (json) => {
        for (const each of parseParts(json)) expect(typeof each.type).toBe('string');
      }),
    );
  });
});

describe('a message', () => {
  let test: TestStore;
  beforeEach(() => {
    test = makeStore();
  });
  afterEach(() => test.remove());
  const set = (column: string, value: unknown) => connectionOf(test.db).prepare(`UPDATE messages SET ${column} = ?`).run(value);

  it('T1: any message comes back as it was, by id, on its path and in a view', () => {
    plant(test.db, ['root']);
    let count = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), facts, (parts, more) => {
        const id = msg(`m${count++}`);
        const message = { ...makeMessage('x', 'root'), ...more, id, parts };
        transaction(test.db, () => appendMessage(test.db, { message, tip: 'stay' }));
        expect(getMessage(test.db, id)).toEqual(message);
        expect(readPath(test.db, id)[1]).toEqual(message);
        const [view] = readTail(test.db, { conversationId: cnv('1'), tipId: id, count: 1 });
        expect(view).toEqual({ ...message, depth: 1, version: count, versions: count });
      }),
      { numRuns: 80 },
    );
  });

  it('T7: facts of a wrong shape are left out and the message stays', () => {
    plant(test.db, ['a']);
    for (const usage of ['{', '7', '[]', '{"input":1}', '{"input":"1","output":2}', 'null']) {
      set('usage', usage);
      expect(getMessage(test.db, msg('a'))?.usage).toBeUndefined();
    }
    set('usage', '{"input":1,"output":2,"reasoning":"x","estimated":7,"more":1}');
    expect(getMessage(test.db, msg('a'))?.usage).toEqual({ input: 1, output: 2 });
    for (const meta of ['{', '{"finish":"whenever"}', '{"failure":{"code":"none"}}', '[]']) {
      set('meta', meta);
      expect(getMessage(test.db, msg('a'))).toMatchObject({ id: msg('a'), parts: [{ text: 'text of a' }] });
    }
    set('meta', '{"id":"msg_other","conversationId":"cnv_2","edited":true}');
    expect(getMessage(test.db, msg('a'))).toMatchObject({ id: msg('a'), conversationId: cnv('1'), edited: true });
  });
});

describe('JSON columns', () => {
  it('X10: what is no JSON, or no failure, is undefined, not an error', () => {
    expect([parseJson('{"a":1}'), parseJson('{'), parseJson('')]).toEqual([{ a: 1 }, undefined, undefined]);
    expect(readJson(null, failureSchema)).toBeUndefined();
    expect(readJson('{"code":"diskFull","message":"x","retryable":true,"detail":{"path":"/x","more":1}}', failureSchema)).toEqual({
      code: 'diskFull',
      message: 'x',
      retryable: true,
      detail: { path: '/x' },
    });
    expect(readJson('{"code":"diskFull","message":"x"}', failureSchema)).toBeUndefined();
  });
});
