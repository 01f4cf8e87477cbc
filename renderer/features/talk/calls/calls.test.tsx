// @vitest-environment happy-dom
// Tool calls in the talk: what their lines say while they are written, wait and run, and what they unfold to.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { BlobHash, ConversationId } from '../../../../shared/model/ids';
import type { Part, ToolCallPart } from '../../../../shared/model/message';
import { openConversation, startNewConversation } from '../../../state/talkSlice';
import { endCall, setCall, setPart, streamCall } from '../../../testing/fakeCalls';
import { addMessage, type FakeMain, finishStep, startStep, streamText } from '../../../testing/fakeMain';
import { openWindow, settle } from '../../../testing/openWindow';
import { withTalk } from '../../../testing/withTalk';
import { Talk } from '../Talk';

let main: FakeMain;
let conversationId: ConversationId;

withTalk((fake, id) => {
  [main, conversationId] = [fake, id];
});

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-status]')];
const lines = () => rows().map((row) => row.querySelector('summary')?.textContent ?? '');
const statuses = () => rows().map((row) => row.dataset.status);
async function unfold(at = 0) {
  const details = rows()[at]!.querySelector('details')!;
  details.open = !details.open;
  fireEvent(details, new Event('toggle'));
  await settle();
  return rows()[at]!;
}
const call = (callId: string, name: string, given: unknown, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'toolCall',
  callId,
  name,
  arguments: typeof given === 'string' ? given : JSON.stringify(given),
  ...more,
});
function ask() {
  return addMessage(main, { conversationId, role: 'user', text: 'go' });
}
async function showAnswer(...parts: Part[]) {
  ask();
  const message = addMessage(main, { conversationId, role: 'assistant', parts });
  await openWindow(main, <Talk />, conversationId);
  return message;
}

describe('lines of calls', () => {
  it('A5: one line a call says what was done to what, what came of it, and how long it took', async () => {
    await showAnswer(
      call('1', 'read_file', { path: 'src/a.ts' }, { summary: 'Read src/a.ts (120 lines)', durationMs: 20 }),
      call('2', 'run_command', { command: 'npm test' }, { summary: 'Ran npm test (exit code 0, 4.2 s)', durationMs: 4200 }),
      call('3', 'search_files', { pattern: 'foo' }, { summary: 'Found 3 matching lines in 2 files for foo' }),
      call('4', 'read_file', { path: 'b.ts' }, { summary: 'There is no file b.ts', isError: true }),
      call('5', 'edit_file', { path: 'c.ts' }, { summary: 'Denied by the user; it has not run', isError: true, outcome: 'denied' }),
      call('6', 'run_command', { command: 'sleep 9' }, { summary: 'Cancelled; it may have run', isError: true, outcome: 'cancelled' }),
      call('7', 'weather', { city: 'Oslo' }, { summary: 'Sunny' }),
      call('8', 'write_file', { path: 'd.ts' }),
      call('9', 'read_file', { path: 'e.ts' }, { summary: 'Not run: the same call', isError: true, outcome: 'refused' }),
      call('10', 'edit_file', { path: 'f.ts' }, { summary: 'Denied by the user; it has not run', isError: true }),
    );
    expect(lines()).toEqual([
      'Readsrc/a.ts120 lines',
      'Rannpm testexit code 04.2 s',
      'SearchedfooFound 3 matching lines in 2 files',
      'Readb.tsfailed: There is no file b.ts',
      'Editc.tsdenied',
      'Runsleep 9cancelled; it may have run',
      'weatherOsloSunny',
      'Writed.tsno result',
      'Reade.tsNot run: the same call',
      // Of a version that kept no outcome.
      'Editf.tsfailed: Denied by the user; it has not run',
    ]);
    expect(statuses()).toEqual(['done', 'done', 'done', 'failed', 'denied', 'cancelled', 'done', 'cancelled', 'refused', 'failed']);
  });

  it('A5: many calls refused for one reason are one line with their number, and unfold to the line of each', async () => {
    const refused = { summary: 'Not run: at most 16 calls in one step', isError: true, outcome: 'refused' } as const;
    await showAnswer(
      call('0', 'list_files', {}, { summary: 'Listed 2 files' }),
      ...Array.from({ length: 24 }, (_, at) => call(`r${at}`, 'read_file', { path: `${at}.ts` }, refused)),
    );
    expect(lines()).toEqual(['Listed2 files', '24 callsNot run: at most 16 calls in one step']);
    await unfold(1);
    expect(lines()).toHaveLength(26);
    expect(lines().at(-1)).toContain('Read23.ts');
    await unfold(2);
    expect(lines()).toHaveLength(26);
  });

  it('A5, X9: a call is followed while it is written, waits, runs and ends, and stays the same line when its step ends', async () => {
    const step = startStep(main, conversationId, ask().id);
    await openWindow(main, <Talk />, conversationId);
    streamCall(main, step.id, { callId: 'tmp', name: 'run_command' }, '{"command":"npm ');
    await settle();
    expect([lines(), statuses()]).toEqual([['Runningnpm'], ['writing']]);
    streamCall(main, step.id, { callId: 'tmp', name: 'run_command' }, 'test"');
    await settle();
    expect(lines()).toEqual(['Runningnpm test']);
    setPart(main, step.id, 0, call('call_1', 'run_command', { command: 'npm test' }));
    setCall(main, step.id, 'call_1', { state: 'waiting' });
    await settle();
    expect([lines(), statuses()]).toEqual([['Runnpm testwaiting'], ['waiting']]);
    setCall(main, step.id, 'call_1', { state: 'running', startedAt: Date.now() - 65_000 });
    await settle();
    expect(lines()[0]).toMatch(/^Runningnpm test1 min \d s$/);
    const row = await unfold();
    expect(row.textContent).toContain('No result yet');
    const line = row.querySelector('summary');
    endCall(main, step.id, 'call_1', { summary: 'Ran npm test (exit code 0, 1.0 s)', content: 'all 12 passed' }, 1000);
    await settle();
    expect(lines()).toEqual(['Rannpm testexit code 01.0 s']);
    expect(screen.getByRole('group', { name: 'Result' }).textContent).toBe('all 12 passed');
    act(() => finishStep(main, step.id));
    await settle();
    expect(rows()[0]!.querySelector('summary')).toBe(line);
    expect(screen.getByRole('group', { name: 'Result' }).textContent).toBe('all 12 passed');
    expect(main.calls.filter((each) => each.name === 'talk.callResult').map((each) => each.input)).toEqual([
      { conversationId, stepId: step.id, callId: 'call_1' },
    ]);
  });

  it('A5: while calls run nothing more is said than their lines', async () => {
    const step = startStep(main, conversationId, ask().id);
    await openWindow(main, <Talk />, conversationId);
    streamText(main, step.id, 'I look.');
    setPart(main, step.id, 1, call('1', 'read_file', { path: 'a' }));
    setCall(main, step.id, '1', { state: 'running', startedAt: Date.now() });
    await settle();
    expect(screen.getAllByRole('article').at(-1)!.textContent).toContain('Readinga');
    expect(screen.queryByText(/Waiting|Connecting/)).toBeNull();
  });

  it('A5: the steps of one turn stand under one head, with the names of calls taken for no button of the message', async () => {
    const user = ask();
    const turnId = main.newId('trn');
    for (let at = 0; at < 3; at++)
      addMessage(main, {
        conversationId,
        role: 'assistant',
        turnId,
        parts: [call(`${at}`, 'edit_file', { path: 'x' }, { summary: 'Edited x' })],
      });
    await openWindow(main, <Talk />, conversationId);
    expect(user.role).toBe('user');
    expect(screen.getAllByRole('heading', { name: 'Helper' })).toHaveLength(1);
    const article = screen.getAllByRole('article').at(-1)!;
    expect(within(article).getAllByRole('button', { name: /Edit/ })).toHaveLength(1);
  });
});

describe('calls unfolded', () => {
  it('A5: shows the arguments by name and the result as it was printed, asked for only then', async () => {
    main.results.set('1', { summary: 'Ran x (exit code 1, 0.1 s)', content: 'line 1\nline 2', isError: true });
    const message = await showAnswer(call('1', 'run_command', { command: 'x', folder: 'lib' }, { summary: 'Ran x', isError: true }));
    expect(main.calls.some((each) => each.name === 'talk.callResult')).toBe(false);
    const row = await unfold();
    expect([...row.querySelectorAll('dt')].map((term) => term.textContent)).toEqual(['command', 'folder']);
    expect(within(row).getByRole('group', { name: 'Result' }).textContent).toBe('line 1\nline 2');
    expect(row.textContent).toContain('Ran x (exit code 1, 0.1 s)');
    expect(main.calls.find((each) => each.name === 'talk.callResult')?.input).toEqual({
      conversationId,
      messageId: message.id,
      callId: '1',
    });
  });

  it('A5, U2: what was unfolded still is after its message left the page and came back, its result at once', async () => {
    main.results.set('1', { summary: 'Ran x', content: 'line 1' });
    await showAnswer(
      { type: 'reasoning', text: 'a thought' },
      call('1', 'run_command', { command: 'x' }, { summary: 'Ran x' }),
      call('2', 'run_command', { command: 'y' }, { summary: 'Ran y' }),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Reasoning' }));
    await unfold();
    const asked = () => main.calls.filter((each) => each.name === 'talk.callResult').length;
    const leave = async () => {
      act(() => startNewConversation());
      await settle();
      expect(rows()).toHaveLength(0);
      await act(() => openConversation(conversationId));
      await settle();
    };
    await leave();
    expect(rows().map((row) => row.querySelector('details')!.open)).toEqual([true, false]);
    expect([within(rows()[0]!).getByRole('group', { name: 'Result' }).textContent, asked()]).toEqual(['line 1', 1]);
    expect(screen.getByRole('button', { name: 'Reasoning' }).getAttribute('aria-expanded')).toBe('true');
    await unfold();
    await leave();
    expect(rows().map((row) => row.querySelector('details')!.open)).toEqual([false, false]);
  });

  it('A5: arguments that are no JSON are shown as they stand', async () => {
    await showAnswer(call('1', 'read_file', '{"path": "a.ts", oops', { summary: 'The arguments are not JSON', isError: true }));
    const row = await unfold();
    expect(lines()[0]).toContain('a.ts');
    expect(within(row).getByRole('group', { name: 'Arguments' }).textContent).toBe('{"path": "a.ts", oops');
    expect(row.textContent).toContain('not JSON');
  });

  it('A5: a result that cannot be fetched says so, and is asked for again', async () => {
    main.results.set('1', { summary: 'Read a', content: 'text of a' });
    await showAnswer(call('1', 'read_file', { path: 'a' }, { summary: 'Read a' }));
    main.failNext.set('talk.callResult', { code: 'databaseBusy', message: 'x', retryable: true });
    const row = await unfold();
    expect(within(row).getByRole('alert')).toBeTruthy();
    fireEvent.click(within(row).getByRole('button', { name: 'Try again' }));
    await settle();
    expect(within(row).getByRole('group', { name: 'Result' }).textContent).toBe('text of a');
  });

  it('A5, X7: a call that no transcript has says that its line is all there is', async () => {
    await showAnswer(call('1', 'read_file', { path: 'a' }, { summary: 'Read a' }));
    expect((await unfold()).textContent).toContain('No transcript has this result');
  });

  it('A5: an edit shows its difference with marks, line numbers and the file', async () => {
    const content = '--- src/a.ts\n+++ src/a.ts\n@@ -10,3 +10,4 @@\n one\n-two\n+2\n+2b\n three';
    main.results.set('1', { summary: 'Edited src/a.ts (+2 −1)', content });
    await showAnswer(
      call('1', 'edit_file', { path: 'src/a.ts', oldText: 'two', newText: '2\n2b' }, { summary: 'Edited src/a.ts (+2 −1)' }),
    );
    const row = await unfold();
    const diff = await within(row).findByRole('figure');
    expect(diff.querySelector('figcaption')?.textContent).toBe('src/a.ts');
    expect([...diff.querySelectorAll('ins')].map((line) => line.textContent)).toEqual(['+2', '+2b']);
    expect([...diff.querySelectorAll('del')].map((line) => line.textContent)).toEqual(['-two']);
    expect([...diff.querySelectorAll('[aria-hidden]')].map((number) => number.textContent).join(',')).toBe('10,10,11,,,11,,12,12,13');
  });

  it('A2: tasks are a checklist', async () => {
    const tasks = [
      { text: 'Read it', state: 'done' },
      { text: 'Change it', state: 'doing' },
      { text: 'Test it', state: 'open' },
    ];
    await showAnswer(call('1', 'tasks', { tasks }, { summary: '1 of 3 tasks done' }));
    const row = await unfold();
    const items = within(within(row).getByRole('list', { name: 'Tasks' })).getAllByRole('listitem');
    expect(items.map((item) => [within(item).getByRole('img').getAttribute('aria-label'), item.textContent])).toEqual([
      ['Done', 'Read it'],
      ['Being done', 'Change it'],
      ['Open', 'Test it'],
    ]);
  });

  it('A2, X4: pictures are shown, and what is kept aside is named with its size', async () => {
    const hash = 'a'.repeat(64) as BlobHash;
    main.results.set('1', {
      summary: 'Viewed a.png',
      images: [{ type: 'image', hash, mime: 'image/png', name: 'a.png', size: 10, width: 4, height: 3 }],
      stored: { hash, size: 1_258_291, lines: 20_000 },
    });
    await showAnswer(call('1', 'view_image', { path: 'a.png' }, { summary: 'Viewed a.png' }));
    const row = await unfold();
    expect(within(row).getByRole('img', { name: 'a.png' })).toBeTruthy();
    expect(row.textContent).toContain('Full output: 1.2 MB, 20,000 lines, kept');
  });
});
