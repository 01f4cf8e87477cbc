// A memory to look at, for tests and pictures: a card with receipts over a talk of some messages.
import type { AgentId, BlobHash, ConversationId, MessageId, RecordId } from '../../shared/model/ids';
import type { MemoryBody, MemoryPage, PagesReceipt, Receipt } from '../../shared/model/memoryRecord';
import type { MemoryMark, MemoryView, PassReceipt } from '../../shared/model/memoryView';
import { emptyMemory } from './fakeMemory';

const at = Date.UTC(2026, 10, 30, 9, 0, 0);
export const cardText = [
  '## Task',
  'Make the parser recover after a missing brace.',
  '',
  '## User directives',
  '- “No new dependency in `src/parser`”',
  '- Keep the error position of `parseBlock` exact',
  '',
  '## Completed',
  '### Lexer',
  '- Positions are exact now',
  '',
  '## Next step',
  'Run `npm test -- parser`.',
].join('\n');

export function receiptWith(change: Partial<Receipt> = {}): Receipt {
  return {
    trigger: 'turnStart',
    method: 'simple',
    model: 'local/m1',
    tokensBefore: 48_200,
    tokensAfter: 3900,
    bytesBefore: 240_000,
    bytesAfter: 18_000,
    kept: [],
    durationMs: 4200,
    cost: 0.0042,
    identifiers: { kept: 312, total: 318, suspect: ['src/ghost.ts'] },
    createdAt: at,
    ...change,
  };
}

export function passWith(id: string, anchorId: MessageId, change: Partial<NonNullable<PassReceipt['record']>> = {}): PassReceipt {
  const receipt = change.receipt ?? receiptWith();
  return {
    id,
    agentId: 'helper' as AgentId,
    trigger: receipt.trigger,
    createdAt: receipt.createdAt,
    failures: [],
    record: {
      id: id as RecordId,
      kind: 'card',
      anchorId,
      receipt,
      folded: 24,
      elided: 3,
      droppedImages: 1,
      undone: false,
      isOverUndone: false,
      ...change,
    },
  };
}

export function markWith(anchorId: MessageId, change: Partial<MemoryMark> = {}): MemoryMark {
  return {
    recordId: 'rec_1' as RecordId,
    kind: 'card',
    anchorId,
    receipt: receiptWith(),
    text: cardText,
    pages: [],
    isInForce: true,
    isOverUndone: false,
    ...change,
  };
}

const body: MemoryBody = {
  text: cardText,
  pages: [],
  files: [{ path: 'src/parser/block.ts', text: 'export {}', from: 1, to: 40 }],
  references: [{ path: 'src/parser/lexer.ts', why: 'positions are made there' }],
  tasks: '- [x] Lexer\n- [ ] Parser',
};

/** Pages of a memory: `count` of them for Claude, the last one low. */
export function somePages(count: number): MemoryPage[] {
  const hash = (at: number, of: string) => `${of}${String(at).padStart(63, '0')}` as BlobHash;
  return Array.from({ length: count }, (_, at) => ({
    hash: hash(at, 'a'),
    width: 1932,
    height: at === count - 1 && count > 1 ? 640 : 1932,
    size: 40_000,
    textHash: hash(at, 'b'),
    characters: 12_000,
  }));
}

export const pagesReceipt: PagesReceipt = {
  count: 7,
  characters: 84_000,
  missing: 5400,
  dropped: 0,
  unprintable: 31,
  tokens: 12_400,
  textTokens: 31_000,
};

/** A view whose memory is pages. `text`: an earlier card beside them. */
export function pagesView(
  conversationId: ConversationId,
  messages: readonly MessageId[],
  { pages = somePages(7), text = '', receipt = {} }: { pages?: MemoryPage[]; text?: string; receipt?: Partial<PagesReceipt> } = {},
): MemoryView {
  const made = receiptWith({ method: undefined, model: undefined, identifiers: undefined, pages: { ...pagesReceipt, ...receipt } });
  const frame = { family: 'claude-high', legend: 'Older messages, in order', head: '¶user\nThe beginning', tail: '¶assistant\nThe end' };
  const view = rememberedView(conversationId, messages);
  return rememberedView(conversationId, messages, {
    memory: view.memory && { ...view.memory, kind: 'pages', body: { ...body, text, pages, frame }, receipt: made },
    receipts: [passWith('rec_1', messages[1] as MessageId, { kind: 'pages', receipt: made })],
  });
}

/** `messages` of the talk, oldest first; the second is where the memory is anchored. */
export function rememberedView(
  conversationId: ConversationId,
  messages: readonly MessageId[],
  change: Partial<MemoryView> = {},
): MemoryView {
  const [first, anchor = first, ...tail] = messages as [MessageId, ...MessageId[]];
  const anchorId = anchor as MessageId;
  return {
    ...emptyMemory({ conversationId, agentId: 'helper' as AgentId }),
    memory: { recordId: 'rec_1' as RecordId, kind: 'card', body, receipt: receiptWith(), folded: 24 },
    receipts: [passWith('rec_1', anchorId)],
    plan: [
      { name: 'system', tokens: 400, bytes: 1600 },
      { name: 'tools', tokens: 900, bytes: 3600 },
      { name: 'firstRequest', tokens: 120, bytes: 400, messageId: first, excerpt: 'Make the parser recover after a missing brace' },
      { name: 'memory', tokens: 1500, bytes: 6000 },
      ...tail.map((messageId, nth) => ({
        name: 'message' as const,
        tokens: 600 + nth * 90,
        bytes: 2400,
        messageId,
        excerpt: `read_file {"path":"src/parser/f${nth}.ts"}`,
        ...(nth % 2 === 0 ? { lean: true as const } : {}),
      })),
      { name: 'reserve', tokens: 4000, bytes: 0 },
    ],
    tokens: 3900,
    bytes: 18_000,
    reported: false,
    window: 32_000,
    lines: { threshold: 22_400, requestThreshold: 27_200 },
    ...change,
  };
}
