// @vitest-environment happy-dom
// Passes by hand over the message box, and the dialog of the context (K2, K3).
import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, MessageId } from '../../../shared/model/ids';
import type { PassEnd, RungPreview } from '../../../shared/model/memoryView';
import { clearOutcome } from '../../state/commandSlice';
import { resetCompaction } from '../../state/compactionSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain } from '../../testing/fakeMain';
import { emptyMemory } from '../../testing/fakeMemory';
import { pagesReceipt, pagesView, passWith, receiptWith, rememberedView } from '../../testing/memoryFixture';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Composer } from './Composer';

let main: FakeMain;
let conversationId: ConversationId;
let tip: MessageId;
const user = userEvent.setup({ delay: null });
const agentId = 'helper' as AgentId;
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message', hidden: true });
const inputsOf = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const preview = () => screen.queryByRole('region', { name: 'Compact the context' });
const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
async function run(text: string): Promise<void> {
  box().focus();
  fireEvent.input(box(), { target: { value: text } });
  fireEvent.keyDown(box(), { key: 'Escape' });
  fireEvent.keyDown(box(), { key: 'Enter' });
  await settle();
}
const click = async (name: string) => {
  await user.click(screen.getByRole('button', { name }));
  await settle();
};
const rungs: RungPreview[] = [
  { rung: 'elide', tokensAfter: 40_000, saves: 8200, cost: 0, why: null },
  { rung: 'images', tokensAfter: 48_200, saves: 0, cost: 0, why: 'nothing' },
  { rung: 'snapshot', tokensAfter: 48_200, saves: 0, cost: null, why: 'short' },
  { rung: 'summary', tokensAfter: 3900, saves: 44_300, cost: 0.0123, why: null },
];
const done = (change = {}): PassEnd => ({
  type: 'done',
  receipt: passWith('rec_1', tip, { receipt: receiptWith({ trigger: 'hand' }), ...change }),
  failures: [],
});
/** What main answers once the test lets it. */
function held<T>() {
  let give: (value: T) => void = () => undefined;
  const answer = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { answer: () => answer, give };
}

beforeEach(async () => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  tip = addMessage(main, { conversationId, role: 'user', text: 'go' }).id;
  main.answers['memory.preview'] = () => rungs;
  await openWindow(main, <Composer />, conversationId);
});
afterEach(() => {
  closeWindow();
  clearOutcome();
  resetCompaction();
});

describe('/compact', () => {
  it('K2: alone it shows what each rung would save and cost, or why not; nothing runs before Enter', async () => {
    await run('/compact');
    expect(box().value).toBe('');
    const rows = within(preview()!).getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].slice(0, 3).map(({ textContent }) => textContent))).toEqual([
      ['Leave out resultsof tools, the old ones', '48,200 → 40,000 (saves 8,200)', 'free'],
      ['Leave out imagesthe old ones', 'nothing to leave out', '–'],
      ['Make pagesolder messages as pictures of their text', 'too little text for a page', '–'],
      ['Summarizeolder messages as a card', '48,200 → 3,900 (saves 44,300)', 'about $0.012'],
    ]);
    expect(inputsOf('memory.compact')).toEqual([]);
    main.answers['memory.compact'] = () => done();
    expect(document.activeElement?.textContent).toBe('Compact');
    await user.keyboard('{Enter}');
    await settle();
    expect(inputsOf('memory.compact')).toEqual([{ conversationId, agentId, rung: null, focus: null }]);
    expect(preview()).toBeNull();
    expect(said()).toEqual(['Compacted: 48,200 → 3,900 tokens (saved 44,300).']);
    expect(document.activeElement).toBe(box());
  });

  it('K2: Escape leaves; nothing has run, and the box has the focus', async () => {
    await run('/compact');
    await user.keyboard('{Escape}');
    await settle();
    expect(preview()).toBeNull();
    expect(document.activeElement).toBe(box());
    expect(inputsOf('memory.compact')).toEqual([]);
  });

  it('K2: one rung alone is run from its row', async () => {
    await run('/compact');
    main.answers['memory.compact'] = () => done();
    await click('Only this: Summarize');
    expect(inputsOf('memory.compact')).toMatchObject([{ rung: 'summary', focus: null }]);
  });

  it('K2: where no rung can do anything, there is nothing to press', async () => {
    main.answers['memory.preview'] = () => rungs.map((rung) => ({ ...rung, saves: 0, why: 'nothing' }));
    await run('/compact');
    expect(preview()?.textContent).toContain('There is nothing to compact now.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Compact' }).disabled).toBe(true);
  });

  it('K1: words run it at once and guide the summary; they are never sent', async () => {
    main.answers['memory.compact'] = () => done();
    await run('/compact the parser above all');
    await run('/compact summary the lexer');
    await run('/compact elide');
    expect(inputsOf('memory.compact')).toMatchObject([
      { rung: null, focus: 'the parser above all' },
      { rung: 'summary', focus: 'the lexer' },
      { rung: 'elide', focus: null },
    ]);
    expect(preview()).toBeNull();
    expect(inputsOf('turn.start')).toEqual([]);
  });

  it('K1: a rung without an ear for words refuses them in place, and the text stays', async () => {
    await run('/compact snapshot the parser');
    expect(screen.getByRole('alert').textContent).toContain('Only a summary is guided by words');
    expect(box().value).toBe('/compact snapshot the parser');
    expect(inputsOf('memory.compact')).toEqual([]);
  });

  it('K2, U4: while it runs the box takes text, it can be stopped, and a second one is refused', async () => {
    const pass = held<PassEnd>();
    main.answers['memory.compact'] = pass.answer;
    await run('/compact summary');
    expect((await screen.findByText('Making room in the context…')).getAttribute('role')).toBe('status');
    await run('/shake');
    expect(screen.getByRole('alert').textContent).toContain('being compacted already');
    await user.clear(box());
    await user.type(box(), 'a thought');
    await click('Stop making room');
    expect(inputsOf('memory.stop')).toEqual([{ conversationId, agentId }]);
    pass.give({ type: 'stopped' });
    await settle();
    expect(screen.queryByRole('status')).toBeNull();
    expect(box().value).toBe('a thought');
  });

  it.each<[string, PassEnd, string]>([
    ['/compact x', { type: 'nothing', failures: [] }, 'Nothing to compact.'],
    ['/compact x', { type: 'already', failures: [] }, 'Already compacted: nothing has come since that could be.'],
    [
      '/compact snapshot',
      { type: 'nothing', failures: [{ rung: 'snapshot', reason: 'short' }] },
      'Nothing to compact. Make pages: too little text for a page',
    ],
    [
      '/compact images',
      { type: 'already', failures: [{ rung: 'images', reason: 'protected' }] },
      'Nothing to compact. Leave out images: what there is stays: it is new, pinned, small or still needed',
    ],
    [
      '/compact images',
      { type: 'nothing', failures: [{ rung: 'images', reason: 'nothing' }] },
      'Nothing to compact. Leave out images: nothing to leave out',
    ],
    [
      '/compact summary',
      { type: 'already', failures: [{ rung: 'summary', reason: 'already' }] },
      'Already compacted: nothing has come since that could be.',
    ],
    ['/shake', { type: 'nothing', failures: [] }, 'Nothing to shake: no old result or image is left to leave out.'],
    [
      '/shake images',
      { type: 'already', failures: [{ rung: 'images', reason: 'nothing' }] },
      'Nothing to shake: no old result or image is left to leave out.',
    ],
    [
      '/shake results',
      { type: 'nothing', failures: [{ rung: 'elide', reason: 'protected' }] },
      'Nothing to shake: no old result or image is left to leave out. Leave out results: what there is stays: it is new, pinned, small or still needed',
    ],
  ])('K3: after %s %j is said calmly', async (line, end, words) => {
    main.answers['memory.compact'] = () => end;
    main.answers['memory.shake'] = () => end;
    await run(line);
    expect(said()).toEqual([words]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('K1, K3: what did nothing is said until the next keystroke, or the next command', async () => {
    main.answers['memory.shake'] = () => ({ type: 'nothing', failures: [] });
    await run('/shake');
    expect(said().join()).toContain('Nothing to shake');
    await run('/foo');
    expect(screen.queryByText(/Nothing to shake/)).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('/foo');
  });

  it('K2, S: one that made pages says how many, and what they cost beside their text', async () => {
    main.answers['memory.compact'] = (): PassEnd => ({
      ...(done({ kind: 'pages', receipt: receiptWith({ trigger: 'hand', pages: pagesReceipt }) }) as Extract<PassEnd, { type: 'done' }>),
      failures: [
        { rung: 'snapshot', reason: 'notCheaper' },
        { rung: 'summary', reason: 'noKey' },
      ],
    });
    await run('/compact snapshot');
    expect(said()).toEqual([
      'Compacted: 48,200 → 3,900 tokens (saved 44,300). 7 pages, 84,000 characters, 12,400 tokens instead of 31,000.',
    ]);
    const strip = document.body.textContent;
    expect(strip).toContain('Summarizing: ');
    expect(strip).not.toContain('Making pages: ');
  });

  it('K3: a failed one names the reason of each rung', async () => {
    main.answers['memory.compact'] = (): PassEnd => ({
      type: 'failed',
      failures: [
        { rung: 'elide', reason: 'notSmaller' },
        { rung: 'summary', reason: 'rateLimited' },
      ],
    });
    await run('/compact x');
    const words = screen.getByRole('alert').textContent;
    expect(words).toContain('Nothing was compacted, and nothing was lost.');
    expect(words).toContain('Leaving out results: it would not have been smaller; Summarizing: ');
    expect(words).not.toContain('rateLimited');
    await click('Dismiss');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('K2: a refusal by main is said, and the conversation that was left keeps its own line', async () => {
    main.failNext.set('memory.compact', makeFailure('diskFull', 'full', { retryable: true }));
    await run('/compact x');
    expect(screen.getByRole('alert').textContent).toContain('disk');
  });
});

describe('/shake', () => {
  it('K2: says how much was left out, and takes it back', async () => {
    main.answers['memory.shake'] = () => done({ kind: 'free', folded: 0, elided: 12, droppedImages: 1 });
    await run('/shake results');
    expect(inputsOf('memory.shake')).toEqual([{ conversationId, agentId, what: 'results' }]);
    expect(said()).toEqual(['Left out 12 results and 1 image (saved 44,300 tokens).']);
    main.answers['memory.undo'] = () =>
      rememberedView(conversationId, [tip], {
        receipts: [passWith('rec_1', tip, { undone: true, folded: 0, elided: 12 })],
        tokens: 48_200,
      });
    await click('Undo');
    expect(inputsOf('memory.undo')).toEqual([{ conversationId, agentId, recordId: 'rec_1' }]);
    expect(said()).toEqual(['Undone: 12 results are back and 1 image is back. The next request has about 48,200 tokens.']);
  });
});

describe('/undo-compact', () => {
  it('L19: undoes the newest, says what came back, and offers to do it again', async () => {
    main.answers['memory.view'] = () =>
      rememberedView(conversationId, [tip], { receipts: [passWith('rec_2', tip), passWith('rec_1', tip, { undone: true })] });
    main.answers['memory.undo'] = () =>
      rememberedView(conversationId, [tip], {
        receipts: [passWith('rec_2', tip, { undone: true, elided: 0, droppedImages: 0 }), passWith('rec_1', tip, { undone: true })],
        tokens: 48_200,
      });
    await run('/undo-compact');
    expect(inputsOf('memory.undo')).toEqual([{ conversationId, agentId, recordId: null }]);
    expect(said()).toEqual(['Undone: 24 messages are sent in full again. The next request has about 48,200 tokens.']);
    main.answers['memory.redo'] = () => rememberedView(conversationId, [tip]);
    await click('Redo');
    expect(inputsOf('memory.redo')).toEqual([{ conversationId, agentId, recordId: 'rec_2' }]);
    expect(said()).toEqual(['Done again. The next request has about 3,900 tokens.']);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  });

  it('K3, L19: nothing to undo is said, not an error', async () => {
    main.failNext.set('memory.undo', makeFailure('notFound', 'There is nothing to undo here.'));
    await run('/undo-compact');
    expect(said()).toEqual(['Nothing to undo: no compaction holds on this path.']);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('/context', () => {
  it('K2, L17: shows the plan as a table, both lines and what each rung would save', async () => {
    main.answers['memory.view'] = () => rememberedView(conversationId, [tip, tip, tip, tip]);
    await run('/context');
    const dialog = screen.getByRole('dialog', { name: 'Context' });
    expect(dialog.textContent).toContain('3,900 of 32,000 tokens (12.2 %)');
    const table = within(dialog).getByRole('region', { name: 'What would be sent next' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['System prompt', '400', '1.3 %'],
      ['Tools', '900', '2.8 %'],
      ['First request', '120', '0.4 %'],
      ['Memory', '1,500', '4.7 %'],
      ['2 messages', '1,290', '4 %'],
      ['Kept for the answer', '4,000', '12.5 %'],
      ['Free', '23,790', '74.3 %'],
    ]);
    expect(within(dialog).getByRole('region', { name: 'When it compacts by itself' }).textContent).toContain('22,400 tokens');
    expect(dialog.textContent).toContain('48,200 → 3,900 (saves 44,300)');
    expect(dialog.textContent).toContain('A rung is one way to free context');
    await click('Show in Memory');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('S, K2: memory that is pages says how many', async () => {
    main.answers['memory.view'] = () => pagesView(conversationId, [tip, tip, tip, tip]);
    await run('/context');
    const dialog = screen.getByRole('dialog', { name: 'Context' });
    expect(within(dialog).getByRole('rowheader', { name: 'Memory: 7 pages' })).toBeTruthy();
  });

  it('L21: a window that is not known, and lines that are off, are said', async () => {
    main.answers['memory.view'] = () => emptyMemory({ conversationId, agentId });
    await run('/context');
    const dialog = screen.getByRole('dialog', { name: 'Context' });
    expect(dialog.textContent).toContain('0 tokens; the window is not known');
    expect(within(dialog).getAllByText('off')).toHaveLength(2);
  });
});
