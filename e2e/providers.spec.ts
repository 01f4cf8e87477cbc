// P1, P3, P5: every kind of provider against a server that plays its bytes, and every way it can go wrong.
import { expect } from '@playwright/test';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb } from './fixtures/folders';
import { destroy, end, gate, hang, head, type Play, send, startScriptedServer, textAnswer, waitFor } from './fixtures/scriptedServer';
import { type ScriptedAgent, scriptedSettings, testKey } from './fixtures/scriptedSettings';
import { chatChunk, chatError, chatPath, chatStream, event } from './fixtures/scripts/chat';
import { geminiPath, geminiStream } from './fixtures/scripts/gemini';
import { responsesPath, responsesStream } from './fixtures/scripts/responses';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;

test.describe('each kind', () => {
  const server = sharedServer();
  const running = sharedApp(() => ({ settings: scriptedSettings(server(), { agents: ['chat', 'responses', 'gemini', 'demo'] }) }));
  let talk: TalkPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    if (await talk.feed.isVisible()) await talk.newConversation();
  });
  const answeredBy = async (name: string) => {
    await talk.composer.getByRole('button', { name: /answers next$/ }).click();
    await running().page.getByRole('menuitemcheckbox', { name }).click();
    await expect(talk.composer.getByRole('button', { name: `${name} answers next` })).toBeVisible();
  };

  const kinds: { agent: ScriptedAgent; name: string; path: string; play: Play; header: string; value: string }[] = [
    {
      agent: 'chat',
      name: 'Chat',
      path: chatPath,
      play: chatStream(['Chat ', '**says** ', 'hi.']),
      header: 'authorization',
      value: `Bearer ${testKey}`,
    },
    {
      agent: 'responses',
      name: 'Responses',
      path: responsesPath,
      play: responsesStream(['Responses ', '**says** ', 'hi.']),
      header: 'authorization',
      value: `Bearer ${testKey}`,
    },
    {
      agent: 'gemini',
      name: 'Gemini',
      path: geminiPath('m3'),
      play: geminiStream(['Gemini ', '**says** ', 'hi.']),
      header: 'x-goog-api-key',
      value: testKey,
    },
  ];
  for (const { agent, name, path, play, header, value } of kinds) {
    test(`P1, P3: ${agent} streams an answer, with the user's words and key on the wire and its use in the store`, async () => {
      server().script(`POST ${path}`, play);
      await answeredBy(name);
      await talk.ask(`Hello to ${name}`);
      await expect(talk.message(1)).toContainText(`${name} says hi.`);
      await expect(talk.message(1).locator('strong')).toHaveText('says');
      const request = await server().request(`POST ${path}`);
      expect(request.headers[header]).toBe(value);
      expect(request.body).toContain(`Hello to ${name}`);
      const [stored] = readDb(running().folders, "SELECT model, usage FROM messages WHERE role = 'assistant' ORDER BY seq DESC LIMIT 1");
      expect(stored?.['model']).toMatch(new RegExp(`^${agent}/`));
      expect(JSON.parse(String(stored?.['usage']))).toMatchObject({ input: 12 });
    });
  }

  test('P1: the demo answers among them and is labelled as a demo', async () => {
    await answeredBy('Demo agent');
    await talk.ask('say Only a demo.');
    await expect(talk.message(1)).toContainText('Only a demo.');
    await expect(talk.message(1)).toContainText('Demo');
    await expect(talk.composer.getByText('Demo', { exact: true })).toBeVisible();
  });

  test('P3, U2: reasoning is folded into one line and unfolds on demand', async () => {
    server().script(chat, [
      head(),
      ...['First I ', 'think about it.'].map((text) => send(chatChunk({ reasoning_content: text }))),
      send(chatChunk({ content: 'Then I answer.' })),
      send(chatChunk({}, 'stop')),
      send(event('[DONE]')),
      end(),
    ]);
    await answeredBy('Chat');
    await talk.ask('Think first');
    await expect(talk.message(1)).toContainText('Then I answer.');
    await expect(talk.message(1)).not.toContainText('First I think');
    const fold = talk.message(1).getByRole('button', { name: /Thought for|Reasoning/ });
    await expect(fold).toHaveAttribute('aria-expanded', 'false');
    await fold.click();
    await expect(talk.message(1)).toContainText('First I think about it.');
    const sizeOf = (words: string) =>
      talk
        .message(1)
        .getByText(words)
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    expect(await sizeOf('First I think about it.'), 'reasoning is quieter than the answer').toBeLessThan(await sizeOf('Then I answer.'));
    await expectAccessible(running().page, 'reasoning');
  });
});

test.describe('what goes wrong', () => {
  const server = sharedServer();
  const running = sharedApp(() => ({ settings: scriptedSettings(server(), { agents: ['chat', 'demo'] }) }));
  let talk: TalkPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    if (await talk.feed.isVisible()) await talk.newConversation();
  });

  test('P5: a 429 with Retry-After is visible with its wait, and ends well by itself', async () => {
    server().script(
      chat,
      chatError(429, 'Rate limit reached for m1', { code: 'rate_limit_exceeded' }, { 'retry-after': '2' }),
      chatStream(['At last.']),
    );
    await talk.say('Are you busy');
    await expect(talk.message(1)).toContainText('Local chat takes no more requests right now');
    await expect(talk.message(1)).toContainText(/Trying again in [12] second/);
    await talk.settled();
    await expect(talk.message(1)).toContainText('At last.');
  });

  test('P5: the wait after a 429 can be ended', async () => {
    server().script(chat, chatError(429, 'Slow down', {}, { 'retry-after': '120' }), chatStream(['Answered.']));
    await talk.say('Wait for it');
    await expect(talk.message(1)).toContainText(/Trying again in 1\d\d seconds/);
    await expectAccessible(running().page, 'waiting to try again');
    await talk.message(1).getByRole('button', { name: 'End the wait' }).click();
    await expect(talk.send).toBeVisible();
    await expect(talk.message(1)).toContainText('Interrupted');
    await talk.act(1, 'Regenerate').click();
    await talk.settled();
    await expect(talk.message(1)).toContainText('Answered.');
  });

  test('P5: a 500 is tried again by itself', async () => {
    server().script(chat, chatError(500, 'The engine is down'), chatStream(['Up again.']));
    await talk.say('Try');
    await expect(talk.message(1)).toContainText('Local chat had an error of its own');
    await talk.settled();
    await expect(talk.message(1)).toContainText('Up again.');
  });

  for (const [when, play] of [
    ['after it answered', [head(), hang()]],
    ['before it says anything', [hang()]],
  ] satisfies [string, Play][]) {
    test(`P3: a local server that holds the connection ${when} is reading the prompt, with the time and a way out`, async () => {
      server().script(chat, play);
      await talk.say('A long prompt');
      await expect(talk.message(1)).toContainText('Reading the prompt');
      await expect(talk.message(1)).toContainText(/\d s/);
      await talk.stop.click();
      await expect(talk.send).toBeVisible();
      await expect(talk.message(1)).toContainText('Interrupted');
    });
  }

  const { opened, open } = gate();
  test.afterAll(() => open());
  const failures: { what: string; play: Play; title: RegExp | string; said: string | null }[] = [
    {
      what: 'a 404 for an unknown model',
      play: chatError(404, 'The model `m1` does not exist', { code: 'model_not_found' }),
      title: 'Local chat does not know m1',
      said: 'The model `m1` does not exist',
    },
    {
      what: 'a 401',
      play: chatError(401, 'Incorrect API key provided', { code: 'invalid_api_key' }),
      title: 'Local chat did not accept the API key',
      said: 'Incorrect API key provided',
    },
    {
      what: 'a 400',
      play: chatError(400, 'temperature must be 1 here'),
      title: 'Local chat did not take the request',
      said: 'temperature must be 1 here',
    },
    {
      what: 'an HTML page',
      play: textAnswer('<html><body><h1>Welcome to nginx</h1></body></html>'),
      title: /could not be read|no model server/,
      said: 'Welcome to nginx',
    },
    {
      what: 'half an event',
      play: [head(), send('data: {"choices":[{"delta":{"con'), destroy()],
      title: /broke off|could not be read/,
      said: null,
    },
    { what: 'an empty 200', play: [head(), end()], title: /empty answer|broke off/, said: null },
    { what: 'an answer without words', play: chatStream([]), title: /sent an empty answer/, said: null },
    {
      what: 'an error under HTTP 200',
      play: [head(), send(event({ error: { message: 'CUDA out of memory', type: 'server_error' } }, 'error')), waitFor(opened), end()],
      title: /error of its own|did not take|could not be read/,
      said: 'CUDA out of memory',
    },
  ];
  for (const { what, play, title, said } of failures) {
    test(`P3, P5: ${what} is a failed turn with its cause, the provider's text, Retry and Change model`, async () => {
      server().script(chat, play);
      await talk.say(`Provoke ${what}`);
      await expect(talk.failed).toContainText(title, { timeout: 40_000 });
      if (said) await expect(talk.failed).toContainText(said);
      await expect(talk.failed.getByRole('button', { name: 'Retry' })).toBeVisible();
      await expect(talk.failed.getByRole('button', { name: 'Change model' })).toBeVisible();
      await expect(talk.send).toBeVisible();
    });
  }

  test('P5, U7: a failed turn goes on with another model, in its place', async () => {
    server().script(chat, chatError(404, 'The model `m1` does not exist', { code: 'model_not_found' }));
    await talk.say('say Found another.');
    await expectAccessible(running().page, 'failed turn');
    await talk.failed.getByRole('button', { name: 'Change model' }).click();
    await running()
      .page.getByRole('menuitemcheckbox', { name: /Demo, large window/ })
      .click();
    await talk.failed.getByRole('button', { name: 'Retry' }).click();
    await talk.settled();
    await expect(talk.message(1)).toContainText('Found another.');
    await expect(talk.failed).toHaveCount(0);
  });
});

test('X8, P5: a failed turn is still there after a restart, and Retry works', async ({ start, server }) => {
  server.script(chat, chatError(400, 'Not today'), chatStream(['Today it works.']));
  const running = await start({ settings: scriptedSettings(server) });
  const talk = new TalkPage(running.page);
  await talk.say('Will you');
  await expect(talk.failed).toContainText('Not today');
  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.failed).toContainText('Not today');
  await after.failed.getByRole('button', { name: 'Retry' }).click();
  await after.settled();
  await expect(after.message(1)).toContainText('Today it works.');
  await expect(after.failed).toHaveCount(0);
});

test('P5, P3: no key, a wrong address and a server that is not there each say what they are', async ({ start, server }) => {
  const { url } = server;
  const gone = await startScriptedServer();
  await gone.close();
  const agent = (id: string, model: string) => ({ id, name: id, model });
  const { page } = await start({
    settings: {
      version: 1,
      providers: [
        { id: 'cloud', name: 'Cloud', kind: 'gemini', models: [{ id: 'm1' }] },
        { id: 'lost', name: 'Lost', kind: 'openai-chat', baseUrl: `${url}/nowhere`, models: [{ id: 'm1' }] },
        { id: 'off', name: 'Off', kind: 'openai-chat', baseUrl: `${gone.url}/v1`, models: [{ id: 'm1' }] },
      ],
      agents: [agent('Cloudy', 'cloud/m1'), agent('Lost one', 'lost/m1'), agent('Sleeper', 'off/m1')],
      preferences: { autoTitle: false },
    },
  });
  const talk = new TalkPage(page);
  const cases = [
    ['Cloudy', 'Cloud needs an API key'],
    ['Lost one', `There is no model server at ${url}/nowhere`],
    ['Sleeper', 'Off can’t be reached'],
  ] as const;
  for (const [name, title] of cases) {
    if (await talk.feed.isVisible()) await talk.newConversation();
    await talk.composer.getByRole('button', { name: /answers next$/ }).click();
    await page.getByRole('menuitemcheckbox', { name }).click();
    await talk.say('Hello');
    await expect(talk.failed).toContainText(title);
  }
});
