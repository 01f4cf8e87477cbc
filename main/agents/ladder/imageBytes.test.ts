// Pictures under a small limit of bytes: the oldest go first, the first request's and the newest stay, and no turn is lost for them (L3, L6, L14, L16).
import { afterEach, expect, it } from 'vitest';
import { json } from '../../../e2e/fixtures/scriptedServer';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { Attachment } from '../../../shared/model/draft';
import type { ConversationId } from '../../../shared/model/ids';
import { noisyCanvas, pngOf } from '../../providers/pictures/pictureFixture';
import { goodCard, isForCard, makeTalk, type Talk } from './talkFixture';

let talk: Talk;
afterEach(() => talk.close());

/** Room for ten pictures. */
const limit = 400_000;
async function picture(name: string): Promise<Attachment> {
  const bytes = pngOf(noisyCanvas(90, 90));
  const hash = await talk.fixture.blobs.write(bytes, 'image/png');
  return { type: 'image', hash, name: `${name}.png`, mime: 'image/png', size: bytes.length };
}

/** Refuses larger bodies; tells how many it refused. */
function refusing(most = limit): { count: number } {
  const refused = { count: 0 };
  let nth = 0;
  talk.server.script('POST /v1/chat/completions', (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    if (request.body.length <= most) return chatStream([`Seen ${++nth}.`]);
    refused.count += 1;
    return json({ error: { message: 'Request Entity Too Large' } }, 413);
  });
  return refused;
}

async function show(turns: number): Promise<ConversationId> {
  let id: ConversationId | null = null;
  for (let turn = 1; turn <= turns; turn++) {
    const from = talk.fixture.events.length;
    const attachments = [await picture(`pic${turn}`)];
    const started = talk.fixture.scheduler.start({ conversationId: id, text: `Look at ${turn}`, attachments, agentId: null });
    id = started.conversationId;
    await talk.fixture.event('stepEnded', (event) => !event.goesOn && talk.fixture.events.indexOf(event) >= from);
  }
  return id as ConversationId;
}
const imagesIn = (body: string) => body.match(/data:image\/png;base64/g)?.length ?? 0;

async function begin(bodyLimit: number | null): Promise<void> {
  talk = await makeTalk({ window: 200_000, compaction: {} });
  const [model] = talk.fixture.settings.providers[0]?.models ?? [];
  Object.assign(model ?? {}, { vision: true, ...(bodyLimit === null ? {} : { bodyLimit }) });
}

it('L3, L6, L16: where bytes press, old pictures go however near they are in tokens, and nobody is asked for a card', async () => {
  await begin(limit);
  const refused = refusing();
  const id = await show(16);
  expect(talk.failures(id)).toEqual([]);
  expect(refused.count).toBe(0);
  const last = talk.bodies().at(-1) ?? '';
  expect(imagesIn(last)).toBeGreaterThanOrEqual(4);
  expect(last.indexOf('data:image/png')).toBeLessThan(last.indexOf('Look at 2'));
  const made = talk.records(id);
  expect(new Set(made.map(({ kind, receipt }) => `${kind} ${receipt.trigger}`))).toEqual(new Set(['free bytes']));
  expect(made.length).toBeLessThan(8);
});

for (const isKnown of [true, false])
  it(`L14, L8: where even the newest pictures are too much, older ones go into a card; the limit ${isKnown ? 'known' : 'learned'}`, async () => {
    await begin(isKnown ? 150_000 : null);
    const refused = refusing(150_000);
    const id = await show(8);
    expect(talk.failures(id)).toEqual([]);
    expect(refused.count).toBe(isKnown ? 0 : 1);
    expect(talk.path(id)).toHaveLength(16);
    const last = talk.bodies().at(-1) ?? '';
    expect(last).toContain('Look at 8');
    expect(imagesIn(last)).toBeGreaterThanOrEqual(2);
  });
