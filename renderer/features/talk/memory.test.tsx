// @vitest-environment happy-dom
// What the talk shows of memory: the divider, a pass that runs or ended, a request that cannot fit (L14, L17, L20).
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../../shared/model/ids';
import type { MemoryMark, MemoryMarks, RunningPass } from '../../../shared/model/memoryView';
import { setPanelTab } from '../../state/layoutSlice';
import { openConversation } from '../../state/talkSlice';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, failStep, startStep } from '../../testing/fakeMain';
import { emptyMemory } from '../../testing/fakeMemory';
import { installLayout } from '../../testing/layout';
import { markWith, pagesReceipt, passWith, receiptWith, somePages } from '../../testing/memoryFixture';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Notices } from '../shell/Notices';
import { Talk } from './Talk';

const agentId = 'helper' as AgentId;
let main: FakeMain;
let conversationId: ConversationId;
let ids: MessageId[];
let layout: ReturnType<typeof installLayout>;
beforeEach(() => {
  main = createFakeMain();
  layout = installLayout(() => 100);
  conversationId = addConversation(main, { title: 'A talk' }).id;
  ids = Array.from(
    { length: 6 },
    (_, at) => addMessage(main, { conversationId, role: at % 2 ? 'assistant' : 'user', text: `said-${at}` }).id,
  );
});
afterEach(() => {
  setPanelTab('branches');
  closeWindow();
  layout.restore();
});

const marks = (...all: MemoryMark[]) => {
  main.answers['memory.marks'] = (): MemoryMarks => ({ conversationId, agentId, agentName: 'Helper', marks: all, running: null });
};
const idOf = (at: number) => ids[at] as MessageId;
const open = () =>
  openWindow(
    main,
    <>
      <Notices />
      <Talk />
    </>,
    conversationId,
  );
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const callsOf = (name: string) => main.calls.filter((call) => call.name === name).map(({ input }) => input);

describe('the divider', () => {
  it('L20: it stands behind the message it is anchored at, says what the agent has instead, and hides nothing', async () => {
    marks(markWith(idOf(1)));
    await open();
    const divider = screen.getByRole('group', { name: 'Helper remembers this as a card' });
    expect(divider.textContent).toContain('48,200 → 3,900 tokens');
    expect(divider.textContent).toContain('312 of 318 identifiers kept');
    expect(divider.closest('article')?.textContent).toContain('said-1');
    expect(screen.getAllByRole('article').map((article) => /said-\d/.exec(article.textContent ?? '')?.[0])).toEqual(
      ids.map((_, at) => `said-${at}`),
    );
  });

  it('L19, L20: unfolded it shows the card, with Undo and the way to the panel', async () => {
    marks(markWith(idOf(1)));
    await open();
    const text = () => document.body.textContent;
    expect(text()).not.toContain('User directives');
    const fold = button(/remembers this as a card/);
    expect(fold.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(fold);
    await settle();
    expect(text()).toContain('User directives');
    fireEvent.click(button('Show in Memory'));
    await settle();
    expect(callsOf('workspace.saveInterface').some((input) => (input as { panelTab?: string }).panelTab === 'memory')).toBe(true);
    marks();
    fireEvent.click(button('Undo'));
    main.emit({ type: 'memoryChanged', conversationId, agentId });
    await settle();
    expect(callsOf('memory.undo')).toMatchObject([{ conversationId, agentId: 'helper', recordId: 'rec_1' }]);
    expect(screen.queryByRole('group', { name: /remembers/ })).toBeNull();
  });

  it('L20, S: pages are counted; unfolded they are small pictures that open large', async () => {
    marks(markWith(idOf(1), { kind: 'pages', text: '', pages: somePages(7), receipt: receiptWith({ pages: pagesReceipt }) }));
    await open();
    fireEvent.click(button(/Helper remembers this as 7 pages/));
    await settle();
    const divider = screen.getByRole('group', { name: 'Helper remembers this as 7 pages' });
    expect(divider.textContent).toContain('7 pages, 84,000 characters, 12,400 tokens instead of 31,000');
    expect(divider.textContent).not.toContain('Earlier card');
    fireEvent.click(within(divider).getByRole('button', { name: 'Page 3 of 7' }));
    await settle();
    expect(screen.getByRole('dialog', { name: 'Page 3 of 7' })).toBeTruthy();
  });

  it('L20: an earlier one says that it was replaced', async () => {
    marks(markWith(idOf(1), { isInForce: false, recordId: 'rec_0' as RecordId }), markWith(idOf(3), { kind: 'edit' }));
    await open();
    expect(screen.getByRole('group', { name: 'Earlier memory, replaced by a later one' })).toBeTruthy();
    expect(screen.getByRole('group', { name: 'Helper remembers this as a card changed by hand' })).toBeTruthy();
  });
});

describe('a pass', () => {
  const pass = (): RunningPass => ({
    conversationId,
    agentId,
    parentId: idOf(5),
    trigger: 'turnStart',
    rung: 'summary',
    startedAt: Date.now(),
  });

  it('R4: while it runs a line says so, with Stop; it goes when the pass ends, and one of another conversation is not seen', async () => {
    await open();
    main.emit({
      type: 'passChanged',
      conversationId: 'cnv_x' as ConversationId,
      agentId,
      pass: { ...pass(), conversationId: 'cnv_x' as ConversationId },
    });
    await settle();
    expect(screen.queryByText(/Making room/)).toBeNull();
    main.emit({ type: 'passChanged', conversationId, agentId, pass: pass() });
    await settle();
    expect(screen.getByText('Making room in the context: summarizing…')).toBeTruthy();
    fireEvent.click(button('Stop making room'));
    await settle();
    expect(callsOf('memory.stop')).toMatchObject([{ conversationId, agentId }]);
    main.emit({ type: 'passChanged', conversationId, agentId, pass: null });
    await settle();
    expect(screen.queryByText(/Making room/)).toBeNull();
  });

  it('L17: an automatic one that ended says what it saved, and is undone from there; one by hand says nothing here', async () => {
    await open();
    const receipt = passWith('rec_7', idOf(1));
    main.emit({ type: 'context.compacted', conversationId, agentId, receipt: { ...receipt, trigger: 'hand' } });
    await settle();
    expect(screen.queryByText(/^Room was made/)).toBeNull();
    main.emit({ type: 'context.compacted', conversationId, agentId, receipt });
    await settle();
    expect(screen.getByText('Room was made in the context: 48,200 → 3,900 tokens (saved 44,300).')).toBeTruthy();
    fireEvent.click(
      within(screen.getAllByRole('status').find((one) => one.textContent?.includes('Room was made')) as HTMLElement).getByText('Undo'),
    );
    await settle();
    expect(callsOf('memory.undo')).toMatchObject([{ recordId: 'rec_7' }]);
  });

  it('L17: what is said of a pass leaves with its conversation', async () => {
    await open();
    main.emit({ type: 'context.compacted', conversationId, agentId, receipt: passWith('rec_7', idOf(1)) });
    await settle();
    expect(screen.getByText(/^Room was made/)).toBeTruthy();
    await act(() => openConversation(addConversation(main, { title: 'Another' }).id));
    await settle();
    expect(screen.queryByText(/^Room was made/)).toBeNull();
  });
});

describe('a request that cannot fit', () => {
  const fail = (
    parts = [
      { name: 'system', tokens: 400, bytes: 1600 },
      { name: 'firstRequest', tokens: 6000, bytes: 24_000 },
    ],
  ) => {
    const step = startStep(main, conversationId, idOf(5));
    failStep(main, step.id, makeFailure('overflowTokens', 'too long', { detail: { limit: 4000, unsent: true, parts } }));
  };

  it('L14: its parts are told with tokens and size, the largest first; Compact now is offered, and says how it ended', async () => {
    fail();
    await open();
    const rows = within(screen.getByRole('table', { name: 'What the request is made of' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual(['PartTokensSize', 'First request6,00023 kB', 'System prompt4002 kB']);
    for (const name of ['Retry', 'Change model', 'Compact now']) expect(button(name)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Redo' })).toBeNull();
    fireEvent.click(button('Compact now'));
    await settle();
    expect(callsOf('memory.compact')).toMatchObject([{ conversationId, agentId, rung: null, focus: null }]);
    expect(screen.getByText('There is nothing to fold.')).toBeTruthy();
  });

  it('L19: after an undo it offers Redo', async () => {
    main.answers['memory.view'] = () => ({
      ...emptyMemory({ conversationId, agentId }),
      pause: { why: 'undone', recordId: 'rec_3' as RecordId },
    });
    fail();
    await open();
    fireEvent.click(button('Redo'));
    await settle();
    expect(callsOf('memory.redo')).toMatchObject([{ recordId: 'rec_3' }]);
    expect(talkState().ending?.type).toBe('failed');
  });
});
