// Z1 to Z4: the window can do nothing but ask, hostile text is text, and keys are nowhere but where they belong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { expect } from '@playwright/test';
import { attacks } from '../renderer/text/attacks';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { filesWith, settingsOf } from './fixtures/folders';
import { textAnswer } from './fixtures/scriptedServer';
import { scriptedSettings, testKey } from './fixtures/scriptedSettings';
import { chatError, chatPath, chatStream } from './fixtures/scripts/chat';
import { TalkPage } from './pages/talk';

const chat = `POST ${chatPath}`;

/** Keeps what would be opened outside, and every request that leaves the page for the network. */
async function watchExits(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ shell, session }) => {
    const seen = { opened: [] as string[], requested: [] as string[] };
    Object.assign(globalThis, { seen });
    shell.openExternal = async (url: string) => void seen.opened.push(url);
    const filter = { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'] };
    session.defaultSession.webRequest.onBeforeRequest(filter, (details, answer) => {
      seen.requested.push(details.url);
      answer({});
    });
  });
}
const exits = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as unknown as { seen: { opened: string[]; requested: string[] } }).seen);

test.describe('the window', () => {
  const server = sharedServer();
  const refusals = [
    /Content Security Policy/,
    /Not allowed to load local resource/,
    /ERR_BLOCKED/,
    /Failed to load resource/,
    /Refused to/,
  ];
  const running = sharedApp(() => ({ settings: scriptedSettings(server()), expected: refusals }));
  test.beforeAll(() => watchExits(running().app));

  test('Z1: a page has no Node, no Electron and no more of the bridge than a port and the path of a file', async () => {
    const { page, app } = running();
    const found = await page.evaluate(() => ({
      node: ['require', 'process', 'module', 'global', 'Buffer', '__dirname'].filter((name) => name in window),
      bridge: Object.keys(window).filter((name) => /bough|electron|ipc/i.test(name)),
      inBridge: Object.keys((window as unknown as { boughFiles: object }).boughFiles),
    }));
    expect(found).toEqual({ node: [], bridge: ['boughFiles'], inBridge: ['pathOf', 'give'] });
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity } = contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity };
    });
    expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, webSecurity: true });
  });

  test('Z1: the page’s policy refuses inline scripts, foreign scripts, frames, forms and connections', async () => {
    const { page } = running();
    const violated = await page.evaluate(async (url) => {
      const found: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => found.push(event.effectiveDirective));
      const add = (tag: string, values: Record<string, string>) => document.body.append(Object.assign(document.createElement(tag), values));
      add('script', { textContent: 'window.pwned = 1' });
      add('script', { src: `${url}/x.js` });
      add('iframe', { src: `${url}/frame` });
      add('img', { src: `${url}/x.png` });
      add('link', { rel: 'stylesheet', href: `${url}/x.css` });
      add('object', { data: `${url}/x` });
      const form = Object.assign(document.createElement('form'), { action: `${url}/form`, method: 'post' });
      document.body.append(form);
      form.submit();
      const fetched = await fetch(`${url}/fetch`).then(
        () => 'answered',
        () => 'refused',
      );
      const deadline = performance.now() + 5000;
      while (new Set(found).size < 7 && performance.now() < deadline) await new Promise(requestAnimationFrame);
      const pwned = 'pwned' in window;
      document.body.querySelectorAll('script, iframe, object, form, body > img, link').forEach((element) => void element.remove());
      return { found: [...new Set(found)].sort(), fetched, pwned };
    }, server().url);
    expect(violated.pwned).toBe(false);
    expect(violated.fetched).toBe('refused');
    for (const directive of ['script-src-elem', 'img-src', 'style-src-elem', 'object-src', 'form-action', 'connect-src']) {
      expect(violated.found).toContain(directive);
    }
    expect(violated.found.some((directive) => directive === 'frame-src' || directive === 'default-src')).toBe(true);
    expect(server().requests.filter((request) => request.path !== chatPath)).toEqual([]);
  });

  test('Z1: nothing in a page gets a permission', async () => {
    const { page } = running();
    const answers = await page.evaluate(async () => ({
      notification: await Notification.requestPermission(),
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
        () => 'given',
        (error: Error) => error.name,
      ),
      place: await new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('given'),
          (error) => resolve(error.code),
        ),
      ),
      clipboard: await navigator.clipboard.readText().then(
        () => 'given',
        (error: Error) => error.name,
      ),
    }));
    expect(answers.notification).not.toBe('granted');
    expect(answers.camera).not.toBe('given');
    expect(answers.place).toBe(1);
    expect(answers.clipboard).toBe('NotAllowedError');
  });

  test('Z1: a foreign page with the very same preload is refused at the gate', async () => {
    const { app, folders } = running();
    const script = `<script>addEventListener('message', (event) => { const [port] = event.ports; if (!port) return;
      port.onmessage = () => { document.title = 'answered'; };
      port.start(); port.postMessage(JSON.stringify({ i: '1', p: { u: 'orpc://localhost/workspace/state', b: {} } })); document.title = 'asked'; });</script>`;
    server().script('GET /foreign', textAnswer(`<title>loaded</title>${script}`));
    const title = await app.evaluate(async ({ app: electron, BrowserWindow }, url) => {
      const preload = `${electron.getAppPath()}/out/preload/index.cjs`;
      const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true, contextIsolation: true } });
      await window.loadURL(url);
      const found = await window.webContents.executeJavaScript(
        'new Promise((resolve) => { const look = () => document.title === "loaded" ? setTimeout(look, 20) : setTimeout(() => resolve(document.title), 300); look(); })',
      );
      window.destroy();
      return String(found);
    }, `${server().url}/foreign`);
    expect(title).toBe('asked');
    const log = () => readFileSync(join(folders.userData, 'logs', 'bough.log'), 'utf8');
    await expect.poll(log).toContain('a connection was refused');
    expect(log()).toContain('/foreign');
  });

  test('Z1, Z4: windows and navigation are denied; only http, https and mailto go to the opener', async () => {
    const { page, app } = running();
    const before = page.url();
    const tried = [
      'https://example.com/a',
      'mailto:a@example.com',
      'file:///etc/passwd',
      'smb://host/share',
      'bough://run',
      'data:text/html,x',
    ];
    await page.evaluate((urls) => {
      for (const url of urls) window.open(url);
      for (const url of urls) {
        const link = Object.assign(document.createElement('a'), { href: url, target: '_blank' });
        document.body.append(link);
        link.click();
        link.remove();
      }
    }, tried);
    for (const url of ['https://example.com/navigated', 'file:///etc/hostname']) {
      await page.evaluate((to) => {
        window.location.href = to;
      }, url);
    }
    const links = ['https://example.com/a', 'mailto:a@example.com'];
    await expect
      .poll(async () => (await exits(app)).opened.toSorted())
      .toEqual([...links, ...links, 'https://example.com/navigated'].toSorted());
    expect(page.url()).toBe(before);
    expect(app.windows()).toHaveLength(1);
    // Asked of the page itself: locators would wait for the navigation that was refused.
    expect(await page.evaluate(() => document.querySelector('textarea[aria-label=Message]') !== null)).toBe(true);
  });
});

test.describe('hostile answers', () => {
  const server = sharedServer();
  const running = sharedApp(() => ({ settings: scriptedSettings(server()), expected: [/Content Security Policy/, /Refused to/] }));
  test.beforeAll(() => watchExits(running().app));

  /** Every attack, with what it would fetch from outside pointed at a server that notices. */
  const hostile = () => attacks.map(({ name, text }) => ({ name, text: text.replaceAll(/https:\/\/[ab]\.example/g, server().url) }));

  test('Z2, Z4: no streamed attack runs, leaves an active element, or fetches anything; nor does it after a reload', async () => {
    test.setTimeout(120_000);
    const { page, app } = running();
    const talk = new TalkPage(page);
    const texts = hostile();
    for (let from = 0; from < texts.length; from += 15) {
      const words = texts.slice(from, from + 15).flatMap(({ text }) => [...text.match(/[\s\S]{1,40}/g)!, '\n\n***\n\n']);
      server().script(chat, chatStream(words));
      await talk.ask(`Attack ${from}`);
      expect(await activeParts(talk)).toEqual([]);
    }
    await page.reload();
    await expect(talk.feed).toContainText('Attack');
    for (let above = Number.POSITIVE_INFINITY; above > 0; ) {
      expect(await activeParts(talk)).toEqual([]);
      above = await talk.feed.evaluate(async (feed) => {
        feed.scrollTop -= feed.clientHeight;
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        return feed.scrollTop;
      });
    }
    await expect(talk.prompts.first()).toContainText('Attack 0');
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await exits(app)).toEqual({ opened: [], requested: [] });
    expect(server().requests.filter((request) => request.path !== chatPath)).toEqual([]);
    expect(app.windows()).toHaveLength(1);
  });

  test('Z1, Z4: clicking every link of every attack opens nothing but http, https and mailto', async () => {
    const { page, app } = running();
    const talk = new TalkPage(page);
    const links = attacks.filter(({ name }) => /link|scheme/i.test(name)).map(({ text }) => text);
    server().script(chat, chatStream([links.join('\n\n'), '\n\n[good](https://example.com/good)']));
    await talk.ask('Links of all kinds');
    const found = talk.feed.getByRole('article').last().locator('a');
    await expect(found.filter({ hasText: 'good' })).toBeVisible();
    for (const link of await found.all()) await link.click();
    await expect.poll(async () => (await exits(app)).opened).toContain('https://example.com/good');
    const { opened } = await exits(app);
    expect(opened.filter((url) => !/^(https?|mailto):/.test(url))).toEqual([]);
    expect(app.windows()).toHaveLength(1);
  });
});

/** What could act or fetch in the messages: elements and attributes that no sanitized text has. */
function activeParts(talk: TalkPage): Promise<string[]> {
  return talk.feed.evaluate((feed) => {
    const found: string[] = [];
    for (const element of feed.querySelectorAll('article *')) {
      const said = element.outerHTML.slice(0, 120);
      if (
        element.matches(
          'script, iframe, frame, object, embed, form, link, meta, base, style, template, video, audio, source, foreignObject',
        )
      ) {
        // KaTeX and diagrams draw without any of these; styles of a drawing live inside its own image.
        found.push(said);
      }
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name) || name === 'srcdoc' || name === 'formaction' || name === 'ping') found.push(`${name}: ${said}`);
        if (['href', 'src', 'xlink:href', 'action', 'background', 'srcset', 'poster'].includes(name)) {
          const allowed = name === 'href' ? /^(https?:|mailto:|#)/i : /^(data:image\/(png|jpeg|gif|webp|svg\+xml)|blob:|app:\/\/bough\/)/i;
          if (value !== '' && !allowed.test(value)) found.push(`${name}: ${said}`);
        }
      }
    }
    return found;
  });
}

test('Z3: a key is in no page, database, log or error text, even when the server repeats it', async ({ start, server }) => {
  server.script(chat, chatError(401, `Incorrect API key provided: ${testKey}. Your key is ${testKey}.`, { code: 'invalid_api_key' }));
  const running = await start({ settings: scriptedSettings(server) });
  const talk = new TalkPage(running.page);
  await talk.say('Hello');
  await expect(talk.failed).toContainText('Incorrect API key provided');
  await running.page.getByRole('button', { name: 'Open settings' }).click();
  await expect(running.page.getByRole('dialog', { name: 'Settings' })).toContainText('Local chat');
  expect(await running.page.content()).not.toContain(testKey);
  await running.close();
  expect(filesWith(testKey, running.folders.userData, running.folders.workspace)).toEqual([settingsOf(running.folders)]);
});
