// What a refusal says of a model is kept, shown, and can be forgotten: its window (L7), and that it takes no images (S10).
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { paste, png } from './fixtures/files';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatError, chatPath, chatStream, modelList } from './fixtures/scripts/chat';
import { SettingsPage } from './pages/settings';
import { TalkPage } from './pages/talk';

const refusal =
  "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens. Please reduce the length of the messages.";

test('L7: the window that a server named is kept over a restart, shown with its date, and can be forgotten', async ({ start, server }) => {
  server.script('GET /v1/models', modelList('m1'));
  server.script(`POST ${chatPath}`, chatError(400, refusal));
  const settings = scriptedSettings(server);
  for (const provider of settings.providers) provider.models = [];
  const first = await start({ settings });
  const talk = new TalkPage(first.page);
  await talk.ask('Hello');
  await expect(first.page.getByText(refusal)).toBeVisible();

  const { page } = await first.restart();
  const window = new SettingsPage(page);
  await window.open('Providers');
  await window.dialog.getByRole('button', { name: 'Edit Local chat' }).click();
  await expect(window.dialog.getByText('Window 4,097 tokens')).toBeVisible();
  await expect(window.dialog.getByText(/^The server named 4,097 tokens on /)).toBeVisible();
  await window.dialog.getByRole('button', { name: 'Forget what the server of m1 named' }).click();
  await expect(window.dialog.getByText('Window unknown')).toBeVisible();
  await expect(window.dialog.getByText(/The server named/)).toBeHidden();
});

test('S10: a reader that refuses images is asked without them; that is said, kept over a restart, shown, and can be forgotten', async ({
  start,
  server,
}) => {
  server.script('GET /v1/models', modelList('m1'));
  server.script(`POST ${chatPath}`, chatError(400, 'This model does not support image inputs.'), chatStream(['I am told of a picture.']));
  const settings = scriptedSettings(server);
  for (const provider of settings.providers) provider.models = [];
  const first = await start({ settings });
  const talk = new TalkPage(first.page);
  await paste(talk.box, { file: { name: 'oak.png', type: 'image/png', bytes: png(4, 4) } });
  await expect(talk.composer.getByRole('img', { name: 'oak.png' })).toBeVisible();
  await talk.ask('What is this?');
  await expect(first.page.getByText('I am told of a picture.')).toBeVisible();
  await expect(first.page.getByText(/^m1 takes no images\./)).toBeVisible();
  expect(server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body.includes('image_url'))).toEqual([true, false]);

  const { page } = await first.restart();
  const window = new SettingsPage(page);
  await window.open('Providers');
  await window.dialog.getByRole('button', { name: 'Edit Local chat' }).click();
  await expect(window.dialog.getByText(/^The server takes no images, learned on /)).toBeVisible();
  await window.dialog.getByRole('button', { name: 'Forget what the server of m1 named' }).click();
  await expect(window.dialog.getByText(/takes no images/)).toBeHidden();
});
