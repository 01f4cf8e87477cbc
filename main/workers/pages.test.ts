// Tests of the thread that makes pages, as it is bundled.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message } from '../context/contextFixture';
import { shippedGlyphs } from '../context/snapshot/glyphsFixture';
import { makePages, type PagesArgs } from '../context/snapshot/makePages';
import { type AskedWorker, openAskedWorker } from '../lib/askedWorker';
import { buildEntry } from '../workspace/childFixture';

let worker: AskedWorker;
beforeAll(async () => {
  worker = openAskedWorker(await buildEntry('main/workers/pages.ts'), { workerData: undefined, idle: 60_000 });
}, 60_000);
afterAll(() => worker.close());

const text = Array.from({ length: 900 }, (_, at) => `{"id":"u-${at * 7919}","path":"src/module${at % 97}/file${at}.ts"}`).join('\n');
const job: PagesArgs = {
  messages: [message('q', 'user', { parts: [{ type: 'text', text }] })],
  reader: { modelId: 'claude-opus-5', kind: 'openai-chat' },
  vision: true,
  room: 50_000,
};

describe('the thread of pages', () => {
  it('S11, S5: makes the same pages as in the program’s own thread, with the glyphs it was bundled with', async () => {
    const here = makePages(shippedGlyphs(), job);
    const there = await worker.ask(job);
    expect(here.ok).toBe(true);
    expect(there).toEqual(plain(here));
  });

  it('S11: lets other work go on while it draws', async () => {
    let turns = 0;
    let isDone = false;
    const asked = worker.ask({ ...job, messages: Array.from({ length: 8 }, () => job.messages[0]) }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    expect(await asked).toMatchObject({ ok: true });
    expect(turns).toBeGreaterThan(10);
  });

  it('S11: a job that is none fails by itself, and the next one is answered', async () => {
    await expect(worker.ask({ vision: true, reader: null })).rejects.toMatchObject({ failure: { code: 'internal' } });
    expect(await worker.ask({ ...job, vision: false })).toEqual({ ok: false, refusal: 'blind' });
  });
});

/** Buffers arrive as the bytes they are. */
function plain(outcome: ReturnType<typeof makePages>): unknown {
  if (!outcome.ok) return outcome;
  return { ok: true, pages: { ...outcome.pages, pages: outcome.pages.pages.map((page) => ({ ...page, png: new Uint8Array(page.png) })) } };
}
