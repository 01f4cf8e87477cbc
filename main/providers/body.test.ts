import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chatBytes, chatChunk, event } from '../../e2e/fixtures/scripts/chat';
import { geminiChunk } from '../../e2e/fixtures/scripts/gemini';
import { completed, textDelta } from '../../e2e/fixtures/scripts/responses';
import { FailureError } from '../../shared/model/failure';
import { BodyDecoder } from './body';
import { makeRedactor } from './redact';

type Read = { events: string[]; ended: string | null; failure: string | null };

function read(packets: readonly Uint8Array[], declared = false): Read {
  const decoder = new TextDecoder();
  const body = new BodyDecoder({ redact: makeRedactor([]), hasKey: true, url: 'http://test', declared });
  const events: string[] = [];
  try {
    for (const packet of packets) {
      events.push(...body.push(decoder.decode(packet, { stream: true })));
      body.check();
      if (body.ended) break;
    }
    if (!body.ended) events.push(...body.push(decoder.decode()), ...body.end());
    body.check();
    return { events, ended: body.ended, failure: null };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { events, ended: body.ended, failure: error.failure.code };
  }
}

const bodies: Record<string, string> = {
  chat: chatBytes(['Привет ', '日本', ' 🌳\n']),
  'chat with noise': `\uFEFF: ping\r\n\r\n:\r\n\r\nevent: ping\ndata:\n\n${chatBytes(['a', 'b']).replaceAll('\n', '\r\n')}`,
  'old line ends': chatBytes(['a', 'b']).replaceAll('\n', '\r'),
  'error at the end': `${chatChunk({ content: 'é' })}${event({ error: { message: 'overloaded', code: 503 } })}${chatChunk({ content: 'never' })}`,
  'error event': `${chatChunk({ content: 'é' })}${event('{"message":"no"}', 'error')}`,
  'half an event': `${chatChunk({ content: 'é' })}data: {"choices":[{"del`,
  'no blank line': chatChunk({ content: 'é' }).trimEnd(),
  gemini: `${geminiChunk([{ text: 'é🌳' }])}${geminiChunk([{ text: '' }], 'STOP')}`,
  responses: `${textDelta('é')}${completed(['é'])}`,
  document: JSON.stringify({ choices: [{ message: { content: 'é🌳' } }] }),
  array: JSON.stringify([{ a: 1 }, { b: '🌳' }], null, 2),
  'error document': JSON.stringify({ error: { message: 'é', code: 500 } }),
  page: '<!doctype html><html><title>é</title></html>',
  words: 'upstream connect error',
  nothing: '\n\n',
};

it.each(Object.entries(bodies))('P3: %s reads the same however its bytes are cut into packets', (_name, text) => {
  const whole = new TextEncoder().encode(text);
  const expected = read([whole]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: whole.length }), { maxLength: 20 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const packets = places.slice(1).map((place, index) => whole.subarray(places[index], place));
      expect(read(packets)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

it('P3: what each of these bodies is', () => {
  const outcome = Object.fromEntries(Object.entries(bodies).map(([name, text]) => [name, read([new TextEncoder().encode(text)])]));
  const summary = Object.fromEntries(
    Object.entries(outcome).map(([name, { events, ended, failure }]) => [name, `${events.length} ${ended} ${failure}`]),
  );
  expect(summary).toEqual({
    chat: '6 done null',
    'chat with noise': '5 done null',
    'old line ends': '5 done null',
    'error at the end': '1 null serverError',
    'error event': '1 null serverError',
    'half an event': '1 body connectionLost',
    'no blank line': '1 body null',
    gemini: '2 body null',
    responses: '2 body null',
    document: '1 done null',
    array: '2 done null',
    'error document': '0 body serverError',
    page: '0 body badUrl',
    words: '0 body badResponse',
    nothing: '0 body null',
  });
});

it('P3: a declared event stream may begin with any field, but not with a document', () => {
  const bytes = (text: string) => [new TextEncoder().encode(text)];
  expect(read(bytes(`x-note: hello\n${bodies.chat}`), true)).toMatchObject({ events: { length: 6 }, ended: 'done' });
  expect(read(bytes(`x-note: hello\n${bodies.chat}`))).toMatchObject({ failure: 'badResponse' });
  expect(read(bytes(bodies.document ?? ''), true)).toMatchObject({ events: { length: 1 }, ended: 'done' });
  expect(read(bytes(bodies.page ?? ''), true)).toMatchObject({ failure: 'badUrl' });
});
