// One turn that looks at more pictures than a body may hold: the older steps give way, however few tokens they have (L3, L6, L14, L16).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { json } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { Notice } from '../../../shared/model/events';
import { noisyCanvas, pngOf } from '../../providers/pictures/pictureFixture';
import { setModels } from './pagesFixture';
import { asked, begin, failures, goodCard, isForCard, kinds, route, send, turnOver, withWorld, world } from './passesFixture';

withWorld();

it.each([
  { what: 'named', message: 'Request body too large: limit is 150000 bytes' },
  { what: 'not named', message: 'Request Entity Too Large' },
])('L16, L14: cheap pictures of the turn in progress, and a limit that is $what by the refusal', async ({ message }) => {
  await begin({ tools: ['view_image'], approval: 'auto-edit', compaction: { summaryMode: 'simple' } });
  setModels({ id: 'gpt-5.5', vision: true, tools: true, contextWindow: 200_000, maxOutput: 1000 });
  for (let at = 1; at <= 7; at++) writeFileSync(join(world.fixture.workspace, `pic${at}.png`), pngOf(noisyCanvas(90, 90)));
  let nth = 0;
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    if (request.body.length > 150_000) return json({ error: { message } }, 413);
    nth += 1;
    return nth > 7 ? chatStream(['Seen.']) : chatCalls([{ id: `c${nth}`, name: 'view_image', arguments: `{"path":"pic${nth}.png"}` }]);
  });
  const id = await send('Look at all seven.');
  await turnOver(id);
  expect(failures(id)).toEqual([]);
  expect(asked().filter(({ body }) => body.length > 150_000)).toHaveLength(1);
  expect(kinds(id)).toContain('card');
  const last = asked().at(-1) ?? { body: '' };
  expect(last.body).toContain('Look at all seven.');
  expect(last.body).toContain('data:image/png;base64');
});

it('L13, L6: a pass for bytes that frees too little says how many bytes are too many', async () => {
  await begin({ tools: ['view_image'], approval: 'auto-edit', compaction: { summaryMode: 'simple', maxRequestBytes: 65_536 } });
  setModels({ id: 'gpt-5.5', vision: true, tools: true, contextWindow: 200_000, maxOutput: 1000 });
  for (let at = 1; at <= 5; at++) writeFileSync(join(world.fixture.workspace, `pic${at}.png`), pngOf(noisyCanvas(90, 90)));
  let nth = 0;
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    nth += 1;
    return nth > 5 ? chatStream(['Seen.']) : chatCalls([{ id: `c${nth}`, name: 'view_image', arguments: `{"path":"pic${nth}.png"}` }]);
  });
  await turnOver(await send('Look at all five.'));
  const said = world.fixture.events.flatMap((event): Notice[] => (event.type === 'notice' ? [event.notice] : []));
  const thrash = said.filter(({ code }) => code.startsWith('contextThrash'));
  expect(thrash).toMatchObject([{ code: 'contextThrashBytes', values: { part: 'tail' } }]);
  expect(thrash[0]?.values?.['bytes']).toBeGreaterThan(50_000);
});
