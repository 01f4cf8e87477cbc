import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ProviderEvent } from '../../shared/model/request';
import { guardStream, type StreamContext } from './guard';
import { makeRedactor } from './redact';
import { defaultTimeouts, type Timeouts, timeoutsFor } from './timeouts';

const never: Timeouts = { beforeFirst: null, betweenEvents: null };

async function read(
  run: (context: StreamContext) => AsyncGenerator<ProviderEvent>,
  timeouts = never,
  signal = new AbortController().signal,
): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of guardStream({ signal, timeouts, redact: makeRedactor(['topsecret']) }, run)) events.push(event);
  return events;
}
afterEach(() => {
  vi.useRealTimers();
});

/** Whether the stream still runs after so much silence. */
async function isOpenAfter(reading: Promise<unknown>, ms: number): Promise<boolean> {
  let open = true;
  void reading.then(() => {
    open = false;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return open;
}
const silence = () => new Promise<never>(() => undefined);

describe('guardStream', () => {
  it('P3: ends exactly once, whatever the adapter does', async () => {
    const text: ProviderEvent = { type: 'text', text: 'a' };
    const done: ProviderEvent = { type: 'done', finish: 'stop' };
    expect(
      await read(async function* () {
        yield text;
        yield done;
        yield text;
        yield done;
      }),
    ).toEqual([text, done]);
    expect(
      await read(async function* () {
        yield text;
      }),
    ).toMatchObject([text, { type: 'failed', failure: { code: 'internal' } }]);
    const thrown = await read(async function* () {
      yield text;
      throw new RangeError('bug near topsecret');
    });
    expect(thrown).toMatchObject([text, { type: 'failed', failure: { code: 'internal' } }]);
    expect(JSON.stringify(thrown)).not.toContain('topsecret');
  });

  it('P3: silence before the first event has its own limit, and accepted is no event', async () => {
    vi.useFakeTimers();
    const reading = read(
      async function* () {
        yield { type: 'accepted' };
        await silence();
      },
      { beforeFirst: 600_000, betweenEvents: 1 },
    );
    expect(await isOpenAfter(reading, 599_999)).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(await reading).toMatchObject([
      { type: 'accepted' },
      { type: 'failed', failure: { code: 'timeout', retryable: true, detail: { limit: 600_000 } } },
    ]);
  });

  it('P3: silence between events ends the stream with what came', async () => {
    vi.useFakeTimers();
    const reading = read(
      async function* () {
        yield { type: 'text', text: 'a' };
        await silence();
      },
      { beforeFirst: null, betweenEvents: 120_000 },
    );
    expect(await isOpenAfter(reading, 119_999)).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(await reading).toMatchObject([{ type: 'text' }, { type: 'failed', failure: { code: 'timeout', detail: { limit: 120_000 } } }]);
  });

  it('P3: bytes are a sign of life, and a slow reader is not the server’s fault', async () => {
    vi.useFakeTimers();
    const limit = 1000;
    const alive = async function* (context: StreamContext): AsyncGenerator<ProviderEvent> {
      for (let beat = 0; beat < 8; beat += 1) {
        await new Promise((resolve) => setTimeout(resolve, limit - 1));
        context.pulse();
      }
      yield { type: 'text', text: 'a' };
      yield { type: 'done', finish: 'stop' };
    };
    const events: string[] = [];
    const reading = (async () => {
      const options = {
        signal: new AbortController().signal,
        timeouts: { beforeFirst: limit, betweenEvents: limit },
        redact: makeRedactor([]),
      };
      for await (const event of guardStream(options, alive)) {
        events.push(event.type);
        await new Promise((resolve) => setTimeout(resolve, limit * 3));
      }
    })();
    await vi.advanceTimersByTimeAsync(limit * 20);
    await reading;
    expect(events).toEqual(['text', 'done']);
  });

  it('P3, A5: Stop ends a stream that never answers, and one that is stopped before it starts asks nobody', async () => {
    const stop = new AbortController();
    const aborted = { adapter: false };
    const reading = read(
      async function* (context) {
        context.signal.addEventListener('abort', () => {
          aborted.adapter = true;
        });
        yield { type: 'accepted' };
        stop.abort();
        await silence();
      },
      never,
      stop.signal,
    );
    expect((await reading).at(-1)).toMatchObject({ type: 'failed', failure: { code: 'stopped', retryable: false } });
    expect(aborted.adapter).toBe(true);
    let asked = false;
    expect(
      await read(
        async function* () {
          asked = true;
          yield { type: 'accepted' };
        },
        never,
        stop.signal,
      ),
    ).toMatchObject([{ type: 'failed', failure: { code: 'stopped' } }]);
    expect(asked).toBe(false);
  });
});

it('P3: leaving the loop tells the adapter to stop', async () => {
  let signal: AbortSignal | null = null;
  const run = async function* (context: StreamContext): AsyncGenerator<ProviderEvent> {
    signal = context.signal;
    yield { type: 'text', text: 'a' };
    await silence();
  };
  for await (const event of guardStream({ signal: new AbortController().signal, timeouts: never, redact: makeRedactor([]) }, run))
    if (event.type === 'text') break;
  expect(signal).toMatchObject({ aborted: true });
});

it('P3, Z3: the address in a timeout shows no key', async () => {
  const run = async function* (): AsyncGenerator<ProviderEvent> {
    yield { type: 'accepted' };
    await silence();
  };
  const events: ProviderEvent[] = [];
  const options = {
    signal: new AbortController().signal,
    timeouts: { beforeFirst: 5, betweenEvents: 5 },
    redact: makeRedactor(['topsecret']),
    url: 'https://topsecret.example/v1?key=other',
  };
  for await (const event of guardStream(options, run)) events.push(event);
  expect(events.at(-1)).toMatchObject({ failure: { detail: { url: 'https://[key].example/v1' } } });
});

it('P3: 600 s before the first event, 120 s between; a local server has no limit before the first', () => {
  expect(defaultTimeouts).toEqual({ beforeFirst: 600_000, betweenEvents: 120_000 });
  expect(timeoutsFor('https://api.openai.com/v1')).toEqual(defaultTimeouts);
  expect(timeoutsFor('http://127.0.0.1:11434/v1')).toEqual({ beforeFirst: null, betweenEvents: 120_000 });
});
