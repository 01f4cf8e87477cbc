// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../../shared/model/ids';
import type { MemoryView } from '../../../shared/model/memoryView';
import { chooseMemoryOf } from '../../state/memorySlice';
import { talkState, useTalk } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, demoAgent, type FakeMain } from '../../testing/fakeMain';
import { passWith, receiptWith, rememberedView } from '../../testing/memoryFixture';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Memory } from './Memory';

let main: FakeMain;
let conversationId: ConversationId;
let ids: MessageId[];
beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  ids = Array.from({ length: 80 }, (_, at) => addMessage(main, { conversationId, role: at % 2 ? 'assistant' : 'user', text: `m${at}` }).id);
});
afterEach(closeWindow);

const show = (change: Partial<MemoryView> = {}) => {
  main.answers['memory.view'] = () => rememberedView(conversationId, ids.slice(0, 6), change);
};
const open = () => openWindow(main, <Memory />, conversationId);
const region = () => screen.getByRole('region', { name: 'What the agent remembers' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const talkNames = (agentNames: Record<string, string>) => act(() => useTalk.setState({ agentNames }));
const callsOf = (name: string) => main.calls.filter((call) => call.name === name).map(({ input }) => input);

describe('the card', () => {
  it('M7, M2: shows the card, how it was made, what it stands for, identifiers kept and those that are suspect', async () => {
    show();
    await open();
    const text = region().textContent;
    for (const there of ['User directives', 'Keep the error position', 'Stands for 24 messages', 'by m1', '312 of 318 identifiers kept'])
      expect(text).toContain(there);
    expect(text).toContain('1 identifier is not in what was folded');
    expect(text).toContain('src/ghost.ts');
    for (const there of ['src/parser/block.ts', 'lines 1 to 40', 'positions are made there', 'Open tasks']) expect(text).toContain(there);
  });

  it('M6: a file that was changed on the disk since it was read is told, the others are not', async () => {
    const { memory } = rememberedView(conversationId, ids.slice(0, 6));
    if (!memory) throw new Error('no memory');
    const files = ['a.ts', 'b.ts'].map((path) => ({ path, text: '1\tx' }));
    show({ memory: { ...memory, body: { ...memory.body, files }, changed: [false, true] } });
    await open();
    const [first, second] = ['a.ts', 'b.ts'].map((name) => screen.getByText(name).closest('li')?.textContent);
    expect(first).not.toContain('changed on disk since');
    expect(second).toContain('changed on disk since; the agent has it as it was');
  });

  it('M7: a line leads to the messages behind it, and says when there is none', async () => {
    show();
    main.answers['memory.sources'] = () => [ids[3], ids[9]];
    await open();
    fireEvent.click(button('Find the messages behind “Positions are exact now”'));
    await settle();
    expect(callsOf('memory.sources')).toMatchObject([{ recordId: 'rec_1', line: '- Positions are exact now' }]);
    expect(talkState().anchor).toMatchObject({ kind: 'at', depth: 3 });
    fireEvent.click(button('Go to message 2 of 2 behind this line'));
    await settle();
    expect(talkState().anchor).toMatchObject({ kind: 'at', depth: 9 });
    main.answers['memory.sources'] = () => [];
    fireEvent.click(button('Find the messages behind “Positions are exact now”'));
    await settle();
    expect(screen.getByText('No message stands out as the source of this line.')).toBeTruthy();
  });

  it('U6, M7: the card is one stop of Tab; arrows go from line to line and along the messages behind one', async () => {
    show();
    main.answers['memory.sources'] = () => [ids[3], ids[9]];
    await open();
    const card = () => screen.getByRole('group', { name: 'Lines of the card' });
    const finds = within(card()).getAllByRole('button', { name: /^Find the messages behind/ });
    const stops = () =>
      within(card())
        .getAllByRole('button')
        .filter((one) => one.tabIndex === 0);
    const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
    expect(finds.length).toBeGreaterThan(3);
    expect(stops()).toEqual([finds[0]]);
    act(() => finds[0]?.focus());
    press('ArrowDown');
    expect(document.activeElement).toBe(finds[1]);
    expect(stops()).toEqual([finds[1]]);
    press('End');
    press('ArrowDown');
    expect(document.activeElement).toBe(finds.at(-1));
    press('Home');
    press('ArrowUp');
    expect(document.activeElement).toBe(finds[0]);
    // Nothing was looked for behind this line yet.
    press('ArrowRight');
    expect(document.activeElement).toBe(finds[0]);
    fireEvent.click(finds[0] as Element);
    await settle();
    act(() => finds[0]?.focus());
    press('ArrowRight');
    press('ArrowRight');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Go to message 2 of 2 behind this line');
    press('ArrowLeft');
    press('ArrowDown');
    expect(document.activeElement).toBe(finds[1]);
    expect(stops()).toEqual([finds[1]]);
  });

  it('M7: edited by hand; limits while typing, what main refuses stays in place, and Cancel changes nothing', async () => {
    show();
    await open();
    fireEvent.click(button('Edit'));
    const box = screen.getByRole('textbox', { name: 'Card' }) as HTMLTextAreaElement;
    expect(box.value).toContain('## Task');
    fireEvent.change(box, { target: { value: ' ' } });
    expect(screen.getByText(/A card cannot be empty/)).toBeTruthy();
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    fireEvent.change(box, { target: { value: 'ä'.repeat(5000) } });
    expect(region().textContent).toContain('10 kB of 8 kB');
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    fireEvent.change(box, { target: { value: '## Task\nMine' } });
    main.failNext.set('memory.edit', makeFailure('conflict', 'changed'));
    fireEvent.click(button('Save'));
    await settle();
    expect(screen.getByRole('alert')).toBeTruthy();
    expect((screen.getByRole('textbox', { name: 'Card' }) as HTMLTextAreaElement).value).toBe('## Task\nMine');
    main.answers['memory.edit'] = () => rememberedView(conversationId, ids.slice(0, 6), {});
    fireEvent.click(button('Save'));
    await settle();
    expect(callsOf('memory.edit').at(-1)).toMatchObject({ recordId: 'rec_1', text: '## Task\nMine' });
    expect(screen.queryByRole('textbox')).toBeNull();
    fireEvent.click(button('Edit'));
    fireEvent.click(button('Cancel'));
    expect(callsOf('memory.edit')).toHaveLength(2);
  });

  it('L21: the counter names the tokens of this window, and so does the refusal, until something else is typed', async () => {
    show({ cardTokens: 1228 });
    await open();
    fireEvent.click(button('Edit'));
    const box = screen.getByRole('textbox', { name: 'Card' });
    fireEvent.change(box, { target: { value: 'word '.repeat(1500) } });
    expect(region().textContent).toContain('about 1,473 of 1,228 tokens');
    main.failNext.set('memory.edit', makeFailure('invalidInput', 'too long', { detail: { size: 1301, limit: 1228 } }));
    fireEvent.click(button('Save'));
    await settle();
    expect(screen.getByRole('alert').textContent).toBe('Too long: about 1,301 tokens. For this window a card has at most 1,228.');
    expect(region().textContent).toContain('about 1,301 of 1,228 tokens');
    fireEvent.change(box, { target: { value: 'shorter' } });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(region().textContent).toContain('about 1 of 1,228 tokens');
    fireEvent.click(button('Cancel'));
  });

  it('M7, U4: what is being written outlives the tab; over a memory that changed meanwhile it says so', async () => {
    show();
    const shown = await open();
    fireEvent.click(button('Edit'));
    fireEvent.change(screen.getByRole('textbox', { name: 'Card' }), { target: { value: '## Task\nUnsaved' } });
    shown.unmount();
    const view = rememberedView(conversationId, ids.slice(0, 6));
    if (!view.memory) throw new Error('no memory');
    show({ memory: { ...view.memory, recordId: 'rec_9' as RecordId } });
    await open();
    expect((screen.getByRole('textbox', { name: 'Card' }) as HTMLTextAreaElement).value).toBe('## Task\nUnsaved');
    expect(region().textContent).toContain('The memory changed while you were writing.');
    fireEvent.click(button('Save'));
    await settle();
    expect(callsOf('memory.edit')).toMatchObject([{ recordId: 'rec_9', text: '## Task\nUnsaved' }]);
  });

  it('S, U4: pages made over a card that is being changed offer no editing, and say that the text is kept; undone, it goes on', async () => {
    show();
    await open();
    fireEvent.click(button('Edit'));
    fireEvent.change(screen.getByRole('textbox', { name: 'Card' }), { target: { value: '## Task\nUnsaved' } });
    const { memory } = rememberedView(conversationId, ids.slice(0, 6));
    if (!memory) throw new Error('no memory');
    show({ memory: { ...memory, recordId: 'rec_p' as RecordId, kind: 'pages' } });
    main.emit({ type: 'memoryChanged', conversationId, agentId: 'helper' as AgentId });
    await settle();
    expect(screen.queryByRole('button', { name: /^(Edit|Save)$/ })).toBeNull();
    expect(region().textContent).toContain('The card you were changing is kept.');
    main.answers['memory.undo'] = () => rememberedView(conversationId, ids.slice(0, 6));
    fireEvent.click(button('Undo'));
    await settle();
    expect((screen.getByRole('textbox', { name: 'Card' }) as HTMLTextAreaElement).value).toBe('## Task\nUnsaved');
    expect(region().textContent).not.toContain('The card you were changing is kept.');
    fireEvent.click(button('Cancel'));
  });
});

describe('passes', () => {
  it('L17: each says what fired, what it saved, took and cost, what was folded, and why rungs failed; each is undone and redone alone', async () => {
    const failed = {
      id: 'rec_f',
      agentId: 'helper' as AgentId,
      trigger: 'betweenSteps' as const,
      createdAt: 1,
      failures: [{ rung: 'summary' as const, reason: 'timeout' }],
      record: null,
    };
    const anchorId = ids[1] as MessageId;
    show({
      receipts: [
        passWith('rec_1', anchorId, { isOverUndone: true }),
        passWith('rec_2', anchorId, {
          undone: true,
          receipt: receiptWith({ trigger: 'hand', method: 'deterministic', refused: ['noKey'] }),
        }),
        failed,
      ],
    });
    await open();
    const list = within(screen.getByRole('list', { name: 'Passes' }));
    const [first, second, third] = list.getAllByRole('article').map((article) => article.textContent ?? '');
    for (const there of [
      'Before a turn',
      '48,200 → 3,900 tokens (saved 44,300)',
      '24 messages folded',
      '3 results',
      '4.2 s',
      '$0.0042',
      'm1',
    ])
      expect(first).toContain(there);
    expect(first).toContain('Made over a memory that was undone since');
    expect(second).toContain('undone');
    expect(second).toContain('without a model');
    expect(third).toContain('nothing was done');
    expect(third).toContain('Summarizing: ');
    main.answers['memory.undo'] = main.answers['memory.view'] as () => unknown;
    fireEvent.click(list.getByRole('button', { name: 'Undo: Before a turn: made a card' }));
    await settle();
    fireEvent.click(list.getByRole('button', { name: 'Redo: By hand: made a card' }));
    await settle();
    expect(callsOf('memory.undo')).toMatchObject([{ recordId: 'rec_1' }]);
    expect(callsOf('memory.redo')).toMatchObject([{ recordId: 'rec_2' }]);
  });

  it('L12: paused, it says why, and Resume lets passes go on', async () => {
    show({ pause: { why: 'failures', count: 3 } });
    await open();
    expect(region().textContent).toContain('Automatic passes are paused: 3 in a row failed.');
    main.answers['memory.resume'] = () => rememberedView(conversationId, ids.slice(0, 6));
    fireEvent.click(button('Resume'));
    await settle();
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  });

  it('L13: where passes free too little it names the parts', async () => {
    show({ pause: { why: 'thrash', parts: [{ name: 'system', tokens: 9000 }] } });
    await open();
    expect(region().textContent).toContain('System prompt: 9,000 tokens');
  });

  it('R4, L11: a pass that runs says at which rung it is, and is stopped', async () => {
    show();
    await open();
    const pass = {
      conversationId,
      agentId: 'helper' as AgentId,
      parentId: ids[5] as MessageId,
      trigger: 'hand' as const,
      rung: 'summary' as const,
      worker: { step: 3, finishing: false },
      startedAt: 1,
    };
    main.emit({ type: 'passChanged', conversationId, agentId: pass.agentId, pass });
    await settle();
    expect(screen.getByText('Making room in the context: summarizing… step 3')).toBeTruthy();
    fireEvent.click(button('Stop making room'));
    await settle();
    expect(callsOf('memory.stop')).toHaveLength(1);
    main.emit({ type: 'passChanged', conversationId, agentId: pass.agentId, pass: null });
    await settle();
    expect(screen.queryByRole('button', { name: 'Stop making room' })).toBeNull();
  });
});

describe('what would be sent', () => {
  it('M7, L6: block by block with tokens; a block leads to its message; both lines are said', async () => {
    show();
    await open();
    const text = region().textContent;
    expect(text).toContain('3,900 of 32,000 tokens, 12 %');
    expect(text).toContain('A pass before a turn at 22,400 · A pass between steps at 27,200');
    expect(screen.getAllByText('shortened').length).toBeGreaterThan(0);
    fireEvent.click(button(/^Message, 690 tokens: go to the message/));
    await settle();
    expect(talkState().anchor).toMatchObject({ kind: 'at', depth: 3 });
  });

  it('U5: of hundreds of blocks the first and the reserve are drawn, the rest on demand', async () => {
    show({ plan: Array.from({ length: 300 }, () => ({ name: 'message' as const, tokens: 5, bytes: 9, excerpt: 'x' })) });
    await open();
    const blocks = () => within(screen.getByRole('list', { name: 'What would be sent next' })).getAllByRole('listitem');
    expect(blocks()).toHaveLength(60);
    fireEvent.click(button('Show all 300 blocks'));
    expect(blocks()).toHaveLength(300);
  });
});

describe('around it', () => {
  it('U1: with nothing folded it says what will stand here', async () => {
    await open();
    expect(screen.getByText('Nothing is folded yet')).toBeTruthy();
    expect(region().textContent).toContain('Helper is sent every message of this branch in full.');
  });

  it('M7: it is read anew when main says that it changed, of this conversation alone', async () => {
    show();
    await open();
    expect(callsOf('memory.view').at(-1)).toMatchObject({ agentId: 'helper' });
    main.emit({ type: 'memoryChanged', conversationId, agentId: 'helper' as AgentId });
    await settle();
    expect(callsOf('memory.view')).toHaveLength(2);
    // A pin is sent word for word: what would be sent is another.
    main.pins.push(ids[2] as MessageId);
    main.emit({ type: 'talkChanged', conversationId });
    await settle();
    expect(callsOf('memory.view')).toHaveLength(3);
    // Of another conversation nothing is read.
    main.emit({ type: 'memoryChanged', conversationId: 'cnv_other' as ConversationId, agentId: 'helper' as AgentId });
    await settle();
    expect(callsOf('memory.view')).toHaveLength(3);
  });

  it('A1, M7: of several agents that spoke here each has its own memory, by choice', async () => {
    addMessage(main, { conversationId, role: 'assistant', text: 'Me too', agentId: demoAgent.id });
    main.answers['memory.view'] = () =>
      rememberedView(conversationId, ids.slice(0, 6), asked() === 'demo' ? { agentId: demoAgent.id, agentName: 'Demo', memory: null } : {});
    const asked = () => (callsOf('memory.view').at(-1) as { agentId: string }).agentId;
    await open();
    talkNames({ helper: 'Helper', demo: 'Demo' });
    await settle();
    expect(region().textContent).toContain('Stands for 24 messages');
    act(() => chooseMemoryOf(demoAgent.id));
    await settle();
    expect(asked()).toBe('demo');
    expect(screen.getByRole('combobox', { name: 'Whose memory' }).textContent).toContain('Demo');
    expect(region().textContent).toContain('Demo is sent every message of this branch in full.');
  });

  it('W4: in a read-only workspace everything is shown, nothing can be changed, and it says so', async () => {
    main.workspace = { ...main.workspace, status: 'readOnly' };
    show({ pause: { why: 'failures', count: 3 }, receipts: [passWith('rec_1', ids[1] as MessageId)] });
    main.answers['memory.sources'] = () => [ids[3]];
    await open();
    expect(region().textContent).toContain('This workspace is open read-only: what the agent remembers can be read, not changed.');
    for (const there of ['Stands for 24 messages', 'Automatic passes are paused', 'src/parser/block.ts', '48,200 → 3,900 tokens'])
      expect(region().textContent).toContain(there);
    expect(screen.queryByRole('button', { name: /Undo|Redo|Edit|Resume/ })).toBeNull();
    fireEvent.click(button('Find the messages behind “Positions are exact now”'));
    await settle();
    expect(talkState().anchor).toMatchObject({ kind: 'at', depth: 3 });
  });

  it('R3: what cannot be read is said, and read again on demand', async () => {
    show();
    main.failNext.set('memory.view', makeFailure('databaseBusy', 'busy', { retryable: true }));
    await open();
    expect(screen.getByRole('alert').textContent).toContain('What the agent remembers could not be read');
    fireEvent.click(button('Try again'));
    await settle();
    expect(region().textContent).toContain('Stands for 24 messages');
  });
});
