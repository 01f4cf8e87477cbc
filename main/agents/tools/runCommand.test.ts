import { existsSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childEnvironment } from './common/environment';
import { shellFor } from './runCommand';
import { makeToolTest, type ToolTest } from './toolsFixture';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
});
afterEach(() => test.dispose());

const run = (command: string, more: object = {}) => test.call('run_command', { command, ...more });

/** Resolves once the file is there with a whole line in it. */
function written(name: string): Promise<string> {
  const read = () => (existsSync(test.pathOf(name)) ? readFileSync(test.pathOf(name), 'utf8') : '');
  return new Promise((resolve) => {
    const watcher = watch(test.workspace, () => look());
    const look = () => {
      if (!read().endsWith('\n')) return;
      watcher.close();
      resolve(read().trim());
    };
    look();
  });
}

/** Whether a process is there and no mere remains of one that nobody has collected yet. */
function lives(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves when the process is gone: a kill is sent at once, and takes the system its moment on a busy machine. */
async function gone(pid: string): Promise<void> {
  while (lives(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('run_command', () => {
  it('A2: output and errors come in order, with exit code and time, from the workspace folder', async () => {
    const result = await run('pwd; echo wrong >&2; echo last; exit 3');
    expect(result).toMatchObject({ isError: true, content: `${test.workspace}\nwrong\nlast\n[exit code 3]` });
    expect(result.summary).toMatch(/^Ran pwd; echo wrong >&2; echo last; exit 3 \(exit code 3, \d+\.\d s\)$/);
    mkdirSync(test.pathOf('sub'));
    expect((await run('pwd', { folder: 'sub' })).content).toBe(test.pathOf('sub'));
    expect((await run('true')).summary).toMatch(/exit code 0, \d+\.\d s, no output/);
    expect(await run('true', { folder: 'missing' })).toMatchObject({ isError: true });
  });

  it('A2: it gets no input, so that a question ends instead of waiting', async () => {
    expect((await run('cat; echo "end $?"')).content).toBe('end 0');
  });

  it('A2, R3: escape codes, progress bars and binary output do not reach the model', async () => {
    expect((await run(String.raw`printf '\033[31mred\033[0m\n 10%%\r 50%%\r100%%\ndone\r\n'`)).content).toBe('red\n100%\ndone');
    const binary = await run('head -c 5000 /dev/zero');
    expect(binary.content).toBeUndefined();
    expect(binary.summary).toContain('5000 bytes of binary output left out');
  });

  it('A5: Stop ends the command and what it started at once', async () => {
    const grandchild = 'bash -c \'echo $$ > pid; trap "" TERM INT HUP; while true; do sleep 1; done\'';
    const running = run(`${grandchild} & wait`);
    const pid = await written('pid');
    expect(lives(pid)).toBe(true);
    const stopped = performance.now();
    test.abort.abort(new Error('stopped by the user'));
    const result = await running;
    expect(performance.now() - stopped).toBeLessThan(2000);
    expect(result).toMatchObject({ isError: true, outcome: 'cancelled', summary: expect.stringMatching(/stopped|Cancelled/) });
    await gone(pid);
  });

  it('A5, R3: a command that hangs is ended with its children at its time limit', async () => {
    const result = await run('bash -c "echo \\$\\$ > pid; sleep 1000" & echo begun; wait', { timeoutSeconds: 1 });
    expect(result).toMatchObject({
      isError: true,
      content: 'begun\n[ended after its 1 s]',
      summary: expect.stringContaining('ended after its 1 s'),
    });
    await gone(await written('pid'));
  });

  it('A5: what a command leaves in the background is ended with it, and said', async () => {
    const result = await run('sleep 1000 & echo $! > pid; echo done');
    const said = 'processes it left running were ended';
    expect(result).toMatchObject({ content: `done\n[${said}]`, summary: expect.stringContaining(said) });
    expect(result.isError).toBeUndefined();
    await gone(await written('pid'));
  });

  it('A5: what ended by itself before is no matter', async () => {
    expect((await run('sleep 0.01 & wait; echo done')).summary).toMatch(/exit code 0, \d+\.\d s\)$/);
  });

  it('A5: a process that left the group cannot hold the result up', async () => {
    const result = await run("setsid sh -c 'echo $$ > pid; exec sleep 1000' & until [ -s pid ]; do sleep 0.01; done; echo done");
    expect(result.content).toBe('done');
    const pid = await written('pid');
    expect(lives(pid)).toBe(true);
    process.kill(Number(pid), 'SIGKILL');
  });

  it('R3, X4: a flood is kept at both ends, stored once, and shown in part with the call that reads the rest', async () => {
    const result = await run('seq 1 200000');
    expect(result.content?.length).toBeLessThan(25_000);
    expect(result.content).toMatch(/^1\n2\n/);
    expect(result.content).toMatch(/\n200000$/);
    expect(result.content).toContain('Read them with recall {"id":"call_1"');
    const stored = result.stored;
    expect(stored?.lines).toBe(200_000);
    const hash = stored?.hash ?? '';
    expect(readFileSync(test.pathOf(`.bough/blobs/${hash.slice(0, 2)}/${hash}`), 'utf8').length).toBe(stored?.size);
    test.context.limits.captureBytes = 100_000;
    const endless = await run('yes | head -c 50000000; echo end');
    expect(endless.summary).toMatch(/ 4990\d{4} bytes from the middle of the output are lost/);
    expect(endless.content).toMatch(/\nend\n\[\d+ bytes from the middle of the output are lost\]$/);
  });

  it('A5: Stop ends every generation and all of a crowd, whatever signals they ignore', async () => {
    const deaf = 'trap "" TERM INT HUP QUIT PIPE;';
    const deep = `bash -c '${deaf} echo $$ >> pids; bash -c "${deaf.replaceAll('"', '\\"')} echo \\$\\$ >> pids; sleep 1000 & echo \\$! >> pids; wait" & wait'`;
    const running = run(
      `${deep} & for i in $(seq 40); do sleep 1000 & echo $! >> pids; done; sleep 1000 & echo $! >> pids; until [ $(wc -l < pids) -ge 44 ]; do sleep 0.01; done; cp pids all; wait`,
    );
    const pids = (await written('all')).split('\n');
    expect(pids.length).toBe(44);
    expect(pids.every(lives)).toBe(true);
    test.abort.abort(new Error('stopped by the user'));
    expect(await running).toMatchObject({ isError: true });
    await Promise.all(pids.map(gone));
  });

  it('A5: what was stopped before it began does not run', async () => {
    test.abort.abort(new Error('stopped by the user'));
    expect(await run('touch ran')).toMatchObject({ isError: true });
    expect(existsSync(test.pathOf('ran'))).toBe(false);
  });

  it('R3: a command that kills its own group, itself or its streams takes nothing else with it', async () => {
    expect(await run('kill -9 0; sleep 1000')).toMatchObject({ isError: true, summary: expect.stringContaining('ended by SIGKILL') });
    expect(await run('kill -SEGV $$')).toMatchObject({ isError: true, summary: expect.stringContaining('ended by SIGSEGV') });
    expect((await run('exec >&- 2>&-; echo lost; exit 0')).summary).toMatch(/exit code 0, \d+\.\d s, no output/);
  });

  it('R3, A5: a flood that never ends is held in bounded memory, and ends at the limit and at Stop', async () => {
    test.context.limits.captureBytes = 200_000;
    const limited = await run('yes', { timeoutSeconds: 1 });
    expect(limited).toMatchObject({
      isError: true,
      summary: expect.stringMatching(/ended after its 1 s.*bytes from the middle of the output are lost/),
    });
    expect(limited.stored?.size).toBeLessThan(201_000);
    expect(limited.content?.length).toBeLessThan(25_000);
    const running = run('yes & echo $$ > pid; wait');
    const pid = await written('pid');
    test.abort.abort(new Error('stopped by the user'));
    expect((await running).content?.length ?? 0).toBeLessThan(25_000);
    await gone(pid);
  });

  it('Z3: no key of the environment reaches the child', async () => {
    const secrets = {
      OPENAI_API_KEY: 'plain-words',
      MY_TOKEN: 'plain-words',
      DB_PASSWORD: 'plain-words',
      AWS_SECRET_ACCESS_KEY: 'plain-words',
      SSH_AUTH_SOCK: '/tmp/socket',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
      INNOCENT: 'sk-abcdefghijklmnop1234',
      DATABASE_URL: 'postgres://me:hidden@host/db',
      MY_LLM: 'the-key-of-bough',
    };
    test.context.environment = { PATH: process.env['PATH'], HOME: '/data/me', LANG: 'C.UTF-8', GIT_AUTHOR_NAME: 'Me', ...secrets };
    const { content = '' } = await run('env');
    expect(content).toContain('HOME=/data/me');
    expect(content).toContain('GIT_AUTHOR_NAME=Me');
    for (const [name, value] of Object.entries(secrets)) {
      expect(content).not.toContain(`${name}=`);
      expect(content).not.toContain(value);
    }
  });

  it('Z3: a key of Bough that a command prints is cut out of result and store', async () => {
    const result = await run('echo "it is the-key-of-bough"');
    expect(result.content).toBe('it is [key]');
    expect(result.summary).not.toContain('the-key-of-bough');
  });

  it('Z3: names programs need are kept', () => {
    const needed = {
      PWD: '/x',
      OLDPWD: '/y',
      PATH: '/bin',
      TERM: 'xterm',
      SystemRoot: 'C:\\Windows',
      XDG_RUNTIME_DIR: '/run/user/1',
      DISPLAY: ':0',
    };
    expect(childEnvironment(needed, (text) => text)).toEqual(needed);
  });

  it('A2: a line with quotes, a here-document or a mistake means what it means in the shell', async () => {
    expect((await run(`cat <<'END'\n$HOME "it's"\nEND\necho 'a "b"' "[$1]"`)).content).toBe(`$HOME "it's"\na "b" []`);
    expect(await run('echo "')).toMatchObject({ isError: true, content: expect.stringMatching(/unexpected EOF|Unterminated/) });
  });

  it('A2: Windows runs the line in its own shell, untouched', () => {
    expect(shellFor('dir "a b"', 'win32', { ComSpec: 'C:\\cmd.exe' })).toEqual({
      file: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', '"dir "a b""'],
      verbatim: true,
    });
  });
});
