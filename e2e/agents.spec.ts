// A1, A6, C1–C3, T12, P4, P7, X8, K1: turns of agents in the real window: who answers, what waits, the way back, other branches meanwhile, and
// what a server refuses.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { dropFiles, png } from './fixtures/files';
import { readDb, stepsIn, transcriptOf } from './fixtures/folders';
import { end, gate, head, json, send, textAnswer, waitFor } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatCalls, chatError, chatPath, chatStream, event } from './fixtures/scripts/chat';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;
const list = (limit: number) => ({ name: 'list_files', arguments: JSON.stringify({ limit }) });

test.describe('in one window', () => {
  const server = sharedServer();
  const running = sharedApp(() => ({ settings: scriptedSettings(server(), { agents: ['chat', 'reviewer', 'demo'], act: true }) }));
  let talk: TalkPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    await expect(talk.box).toBeVisible();
    if (await talk.feed.isVisible()) await talk.newConversation();
  });
  const requests = () => server().requests.filter(({ path }) => path === chatPath);
  const tip = (title: string) =>
    readDb(running().folders, 'SELECT text FROM messages WHERE id = (SELECT tip_id FROM conversations WHERE title = ?)', title)[0]?.[
      'text'
    ];

  test('A1, X1, T5: agents that are named answer one after the other, each into a transcript of its own; another one answers anew', async () => {
    const { folders } = running();
    server().script(
      chat,
      chatCalls([list(1)], ['I look first.']),
      chatStream(['There is a folder.']),
      chatStream(['Far too short.']),
      chatStream(['I would say it so.']),
    );
    const asked = '@Chat look around, then @Reviewer judge it';
    await talk.ask(asked);
    const by = (name: string) => talk.feed.getByRole('article', { name, exact: true });
    await expect(by('Chat')).toHaveCount(2);
    await expect(by('Reviewer')).toContainText(['Far too short.']);
    const texts = (agent: string) => stepsIn(transcriptOf(folders, asked, agent)).map(({ content }) => content[0]?.text);
    expect(texts('chat')).toEqual(['I look first.', 'There is a folder.']);
    expect(texts('reviewer')).toEqual(['Far too short.']);
    // The other one's words are told with their name, and without calls.
    expect(requests().at(-1)?.body).toContain('[Chat answered:]');
    expect(requests().at(-1)?.body).not.toContain('tool_calls');

    await talk.act(3, 'Ask another agent').click();
    await talk.page.getByRole('menuitem', { name: 'Chat' }).click();
    await talk.settled();
    await expect(talk.message(3)).toContainText('I would say it so.');
    await expect(talk.message(3)).toContainText('2 / 2');
    await talk.act(3, 'Previous version').click();
    await expect(by('Reviewer')).toContainText(['Far too short.']);
    expect(texts('chat').at(-1)).toBe('I would say it so.');
  });

  test('A6: what is steered in reaches the model before its next step, what is queued after its answer', async () => {
    const [first, second] = [gate(), gate()];
    server().script(
      chat,
      [waitFor(first.opened), ...chatCalls([list(1)], ['A look.'])],
      [waitFor(second.opened), ...chatStream(['In Latin, then.'])],
      chatStream(['And now the mosses.']),
    );
    await talk.say('Name the ferns');
    await talk.box.fill('and the mosses');
    await talk.box.press('Enter');
    await talk.box.fill('in Latin');
    await talk.box.press('ControlOrMeta+Enter');
    const queue = talk.composer.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await expect(queue).toHaveText([/After the answer.*and the mosses/, /Before the next step.*in Latin/]);
    const before = requests().length;
    first.open();
    await expect(queue).toHaveText([/After the answer.*and the mosses/]);
    await expect(talk.prompts).toHaveText([/Name the ferns/, /in Latin/]);
    second.open();
    await expect(talk.message(-1)).toContainText('And now the mosses.');
    await talk.settled();
    await expect(queue).toHaveCount(0);
    const roles = (at: number) => {
      const { messages } = JSON.parse(requests()[at]?.body ?? '{}') as { messages: { role: string; content: string }[] };
      return messages.filter(({ role }) => role !== 'system').map(({ role, content }) => (role === 'user' ? content : role));
    };
    expect(roles(before)).toEqual(['Name the ferns', 'assistant', 'tool', 'in Latin']);
    expect(roles(before + 1)).toEqual(['Name the ferns', 'assistant', 'tool', 'in Latin', 'assistant', 'and the mosses']);
  });

  test('T12, T3: while a turn runs the person writes on another branch; going back shows its head, and the tip follows again', async () => {
    const [first, second] = [gate(), gate()];
    server().script(
      chat,
      chatStream(['Ready.']),
      chatCalls([list(1)], ['The first look.']),
      [waitFor(first.opened), ...chatCalls([list(2)], ['The second look.'])],
      [waitFor(second.opened), ...chatStream(['All is looked at.'])],
    );
    server().script((request) => request.path === chatPath && request.body.includes('A side question'), chatStream(['A side answer.']));
    await talk.ask('Begin here');
    await talk.say('Look at everything');
    await expect(talk.feed).toContainText('The first look.');
    await expect(talk.calls).toHaveCount(1);
    await talk.act(1, 'Branch from here').click();
    await expect(talk.feed.getByRole('article')).toHaveCount(2);
    await talk.ask('A side question');
    expect(tip('Begin here')).toBe('A side answer.');
    first.open();
    // The steps of the turn do not move the tip of a person who is elsewhere.
    await expect
      .poll(
        () => readDb(running().folders, "SELECT 1 FROM messages WHERE text = 'The second look.' OR parts LIKE '%The second look.%'").length,
      )
      .toBe(1);
    expect(tip('Begin here')).toBe('A side answer.');
    await expect(talk.feed).not.toContainText('second look');

    await talk.act(2, 'Previous version').click();
    await expect(talk.feed).toContainText('The second look.');
    await expect(talk.feed).toHaveAttribute('aria-busy', 'true');
    await expect(talk.stop).toBeVisible();
    second.open();
    await talk.settled();
    await expect(talk.message(-1)).toContainText('All is looked at.');
    expect(tip('Begin here')).toBe('All is looked at.');
    await talk.act(2, 'Next version').click();
    await expect(talk.message(-1)).toContainText('A side answer.');
  });

  test('C1, C3, A2: an agent explores and rewinds; its digest stands in the talk, what it explored is a version away', async () => {
    const { page, folders } = running();
    writeFileSync(join(folders.workspace, 'notes.txt'), 'the oak is old\n');
    await talk.ask('@Demo agent explore then rewind');
    const digest = talk.feed.getByRole('article', { name: 'Digest' });
    await expect(digest).toContainText('carried back to checkpoint “explore”');
    await expect(digest).toContainText('2 / 2');
    await expectAccessible(page, 'a digest');
    await digest.getByRole('button', { name: 'Previous version', exact: true }).click();
    await expect(digest).toHaveCount(0);
    await expect(talk.feed).toContainText('That is enough. I go back.');
    await talk.act(2, 'Next version').click();
    await expect(digest).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Named explore' })).toBeVisible();
  });

  test('P7: a picture that the server refuses is left out with a notice, and the turn goes on', async () => {
    const { page } = running();
    server().script(chat, chatError(400, 'Could not process image', { code: 'invalid_image' }), chatStream(['No picture, but words.']));
    await dropFiles(page, { name: 'green.png', type: 'image/png', bytes: png(16, 9) });
    await expect(talk.composer.getByRole('img', { name: 'green.png' })).toBeVisible();
    const before = requests().length;
    await talk.ask('What is on it?');
    await expect(talk.message(1)).toContainText('No picture, but words.');
    await expect(page.getByText('The provider refused a picture. It is left out for this model')).toBeVisible();
    expect(requests()[before]?.body).toContain('data:image/png');
    expect(requests()[before + 1]?.body).not.toContain('data:image/png');
    await talk.ask('And now?');
    expect(requests().at(-1)?.body).not.toContain('data:image/png');
    await expect(talk.message(0).getByRole('img', { name: 'green.png' })).toBeVisible();
  });

  test('K1: a message edited into a command is not sent to the model', async () => {
    server().script(chat, chatStream(['Understood.']));
    await talk.ask('A first message');
    const before = requests().length;
    await talk.act(0, 'Edit').click();
    const box = talk.feed.getByRole('textbox', { name: 'Edit message' });
    for (const line of ['/help', '/rewind nowhere', '/hepl']) {
      await box.fill(line);
      await talk.feed.getByRole('button', { name: 'Send edit' }).click();
      await expect(talk.feed.getByRole('alert')).toContainText('put a space before it');
      await expect(box).toHaveValue(line);
    }
    await expectAccessible(running().page, 'a command in an edit');
    expect(requests()).toHaveLength(before);
    await box.fill(' /help me');
    await talk.feed.getByRole('button', { name: 'Send edit' }).click();
    await talk.settled();
    expect(requests().at(-1)?.body).toContain('/help me');
  });
});

test('C1, C2, C3: a checkpoint outlives a restart; the person rewinds to it from its message, with words that go along', async ({
  start,
  server,
}) => {
  // Two starts and a look by axe: a busy machine takes its time.
  test.slow();
  server.script(chat, chatStream(['Understood.']));
  const first = await start({ settings: scriptedSettings(server) });
  let talk = new TalkPage(first.page);
  await talk.ask('Here we stand');
  await talk.act(-1, 'Checkpoint').click();
  await first.page.getByRole('textbox', { name: 'Label' }).fill('the start');
  await first.page.getByRole('button', { name: 'Set checkpoint' }).click();
  await talk.ask('The left path');
  const { page, folders } = await first.restart();
  talk = new TalkPage(page);
  await page.getByRole('button', { name: 'Named the start' }).click();
  await page.getByRole('menuitem', { name: 'Rewind to here…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rewind to “the start”' });
  await expectAccessible(page, 'the dialog for a rewind');
  await dialog.getByRole('textbox').fill('The left path is closed.');
  await dialog.getByRole('button', { name: 'Rewind' }).click();
  await expect(talk.message(-1)).toContainText('The left path is closed.');
  await expect(talk.message(-1)).toContainText('2 / 2');
  await talk.ask('The right path');
  const body = server.requests.at(-1)?.body ?? '';
  expect(body).toContain('The left path is closed.');
  expect(body).not.toContain('"The left path"');
  const [stored] = readDb(folders, "SELECT count(*) AS n FROM messages WHERE text IN ('The left path', 'The right path')");
  expect(stored).toEqual({ n: 2 });
});

const window8k = 'This model’s maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.';
test('P4, X8: every shape of “too long” ends the turn with an honest failure; Retry works over and over, also after a restart', async ({
  start,
  server,
}) => {
  server.script(
    chat,
    chatStream(['All is well.']),
    chatError(400, window8k, { code: 'context_length_exceeded' }),
    json(
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_ctx: 4096,
        },
      },
      400,
    ),
    [head(), send(event({ error: { code: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' } })), end()],
    textAnswer('<html><title>413 Request Entity Too Large</title></html>', 413),
    chatStream(['Now it fits.']),
  );
  const first = await start({ settings: scriptedSettings(server) });
  let talk = new TalkPage(first.page);
  const command = async (line: string) => {
    await talk.box.fill(line);
    await talk.box.press('Enter');
  };
  await command('/retry');
  await expect(talk.composer.getByRole('alert')).toContainText('Nothing is loaded');
  await talk.ask('A short one');
  await command('/retry');
  await expect(talk.composer.getByRole('alert')).toContainText('Nothing to retry');
  await talk.box.fill('');
  await talk.say('A long one');
  await expect(talk.failed).toContainText('This conversation is longer than m1 can take');
  await expect(talk.failed).toContainText('8192 tokens');
  await talk.failed.getByRole('button', { name: 'Retry' }).click();
  await expect(talk.failed).toContainText('available context size');
  await command('/retry');
  await expect(talk.failed).toContainText('210000 tokens');
  await talk.failed.getByRole('button', { name: 'Retry' }).click();
  await expect(talk.failed).toContainText('This request is larger than Local chat accepts');
  const { page, folders } = await first.restart();
  talk = new TalkPage(page);
  await expect(talk.failed).toContainText('This request is larger than Local chat accepts');
  await talk.failed.getByRole('button', { name: 'Retry' }).click();
  await talk.settled();
  await expect(talk.message(-1)).toContainText('Now it fits.');
  await expect(talk.failed).toHaveCount(0);
  expect(readDb(folders, 'SELECT count(*) AS n FROM failed_turns')).toEqual([{ n: 0 }]);
  expect(existsSync(transcriptOf(folders, 'A short one', 'chat'))).toBe(true);
});
