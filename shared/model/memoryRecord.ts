// A memory record: what one run of the ladder left out of later requests, and what stands in for it. It stores the outcome, not the way
// to it, so that it replays without the code that made it (L9).
import * as z from 'zod/mini';
import { type BlobHash, blobHash, type MessageId, messageId, type RecordId, recordId, type TurnId, turnId } from './ids';

/** `free`: elision or dropped images outside a pass; `card` and `pages`: a pass; `edit`: a card changed by hand; `trim`: left out because it could not fit. */
const recordKinds = ['free', 'card', 'pages', 'edit', 'trim'] as const;
export type RecordKind = (typeof recordKinds)[number];

export type Elision = { messageId: MessageId; callId: string };
export type DroppedImage = { messageId: MessageId; hash: BlobHash };

/** One page as a picture in the blob store: pixels, bytes of the PNG, and what is printed on it as a text there. */
export type MemoryPage = {
  hash: BlobHash;
  width: number;
  height: number;
  size?: number | undefined;
  textHash?: BlobHash | undefined;
  characters?: number | undefined;
};

/** Around pages (S1, S9): for which family of readers they were made, and the texts before and after them. */
export type PagesFrame = { family: string; legend: string; head: string; tail: string };

/** What the model is shown instead: the card (beside pages an earlier one), pages, files read once at the pass, references. */
export type MemoryBody = {
  text: string;
  pages: MemoryPage[];
  frame?: PagesFrame | undefined;
  /** Lines are 1-based; without them the whole file. */
  files: { path: string; text: string; from?: number | undefined; to?: number | undefined }[];
  references: { path: string; why: string }[];
  /** The agent's task list as it stood, as Markdown task lines (A2). */
  tasks?: string | undefined;
};

/** What happened, in numbers (L17); the receipt in the record is the truth, a row of it is derived. Tokens are the measure's, bytes those of the request. */
export type Receipt = {
  trigger: 'beforeCall' | 'turnStart' | 'betweenSteps' | 'bytes' | 'overflow' | 'hand' | 'load';
  turnId?: TurnId | undefined;
  /** `providerId/modelId` that wrote the card, where one did. */
  model?: string | undefined;
  tokensBefore: number;
  tokensAfter: number;
  bytesBefore: number;
  bytesAfter: number;
  kept: MessageId[];
  /** How much more a token of the estimate was at the provider, as far as it was known; 1 when left out. */
  scale?: number | undefined;
  durationMs: number;
  /** US dollars. */
  cost?: number | undefined;
  /** How the card was made: by one call, by a worker with tools, without a model (M3), or by the user's hand. */
  method?: CardMethod | undefined;
  /** Why the model's card was not used (M3): failure codes and reasons, in the order they came. */
  refused?: string[] | undefined;
  /** The user's words that guided the summary (K1). */
  focus?: string | undefined;
  /** Of the card (M2). */
  identifiers?: IdentifierCheck | undefined;
  /** Tokens the summarizing model was sent and gave. */
  spent?: { input: number; output: number } | undefined;
  pages?: PagesReceipt | undefined;
  /** Unix time in milliseconds. */
  createdAt: number;
};

/**
 * Of pages (S3 to S6): characters printed; of arguments, results and files left out; printed ones dropped because there were too many; without a
 * bitmap. Tokens of the pages, and of the text they stand for.
 */
export type PagesReceipt = {
  count: number;
  characters: number;
  missing: number;
  dropped: number;
  unprintable: number;
  tokens: number;
  textTokens: number;
};

const cardMethods = ['simple', 'worker', 'deterministic', 'hand'] as const;
export type CardMethod = (typeof cardMethods)[number];

/** `kept` of `total` identifiers of the folded messages are in the rebuilt context; `suspect` ones are in the card and not in its source. */
export type IdentifierCheck = { kept: number; total: number; suspect: string[] };

export type MemoryRecord = {
  id: RecordId;
  kind: RecordKind;
  /** The newest message it folds, elides or drops images of. */
  anchorId: MessageId;
  /** The memory it was made over: what that one folds it folds too, also when that one was undone since. */
  previousId?: RecordId | undefined;
  /** What it folds beyond the memory it was made over. */
  folded: MessageId[];
  elided: Elision[];
  droppedImages: DroppedImage[];
  body?: MemoryBody | undefined;
  /** Of the text around the body: a record of a version this program does not know is not replayed. */
  wordingVersion: number;
  receipt: Receipt;
  undone?: boolean | undefined;
  /** When it was undone or redone last; Unix time in milliseconds. */
  changedAt?: number | undefined;
};

const text = z.string();
const number = z.number();
const receiptSchema: z.ZodMiniType<Receipt> = z.object({
  trigger: z.enum(['beforeCall', 'turnStart', 'betweenSteps', 'bytes', 'overflow', 'hand', 'load']),
  turnId: z.optional(turnId),
  model: z.optional(text),
  tokensBefore: number,
  tokensAfter: number,
  bytesBefore: number,
  bytesAfter: number,
  kept: z.array(messageId),
  scale: z.optional(number),
  durationMs: number,
  cost: z.optional(number),
  method: z.optional(z.enum(cardMethods)),
  refused: z.optional(z.array(text)),
  focus: z.optional(text),
  identifiers: z.optional(z.object({ kept: number, total: number, suspect: z.array(text) })),
  spent: z.optional(z.object({ input: number, output: number })),
  pages: z.optional(
    z.object({
      count: number,
      characters: number,
      missing: number,
      dropped: number,
      unprintable: number,
      tokens: number,
      textTokens: number,
    }),
  ),
  createdAt: number,
});
const bodySchema: z.ZodMiniType<MemoryBody> = z.object({
  text,
  pages: z.array(
    z.object({
      hash: blobHash,
      width: number,
      height: number,
      size: z.optional(number),
      textHash: z.optional(blobHash),
      characters: z.optional(number),
    }),
  ),
  frame: z.optional(z.object({ family: text, legend: text, head: text, tail: text })),
  files: z.array(z.object({ path: text, text, from: z.optional(number), to: z.optional(number) })),
  references: z.array(z.object({ path: text, why: text })),
  tasks: z.optional(text),
});
export const memoryRecordSchema: z.ZodMiniType<MemoryRecord> = z.object({
  id: recordId,
  kind: z.enum(recordKinds),
  anchorId: messageId,
  previousId: z.optional(recordId),
  folded: z.array(messageId),
  elided: z.array(z.object({ messageId, callId: text })),
  droppedImages: z.array(z.object({ messageId, hash: blobHash })),
  body: z.optional(bodySchema),
  wordingVersion: z.int(),
  receipt: receiptSchema,
  undone: z.optional(z.boolean()),
  changedAt: z.optional(number),
});

export type PathMemory = {
  /** The card, pages or edit that reaches furthest down the path; null where the path has its full text. */
  memory: MemoryRecord | null;
  /** What the memory stands for: its own and those of all it was made over (L19). */
  folded: ReadonlySet<MessageId>;
  /** All that apply, in the order they were made. */
  holding: MemoryRecord[];
  /** Of messages that are not folded: what stands for those leaves them out as a whole. */
  elided: Elision[];
  droppedImages: DroppedImage[];
  /** Would hold, but its wording is of a version this program does not know: its text returns in full, and that is said. */
  unread: MemoryRecord[];
  /** Would hold, were they not undone. */
  undone: MemoryRecord[];
  /** Pages that hold and are of no use to the reader: made for another family, or their pictures are gone (S10). Their text returns. */
  unsuited: MemoryRecord[];
};

/** Whether a reader can be shown a memory; one that is none of pages suits everybody. */
export type Suits = (record: MemoryRecord) => boolean;
const suitsAll: Suits = () => true;

/**
 * The anchor rule: a record holds on every path that contains its anchor, so editing or asking again in the tail keeps the memory, and a branch
 * that left before the anchor has its full text. Undone ones apply nowhere. `path` in its order, `records` in the order they were made.
 */
export function memoryOnPath(
  path: ReadonlySet<MessageId>,
  records: Iterable<MemoryRecord>,
  newestWording: number,
  suits: Suits = suitsAll,
): PathMemory {
  const all = [...records];
  const anchored = all.filter(({ anchorId }) => path.has(anchorId));
  const standing = anchored.filter(({ undone }) => undone !== true);
  const known = standing.filter(({ wordingVersion }) => wordingVersion <= newestWording);
  const holding = known.filter(suits);
  const memory = furthest(path, holding.filter(isMemory));
  const folded = foldedBy(memory, all);
  const isSent = ({ messageId }: { messageId: MessageId }) => !folded.has(messageId);
  return {
    memory,
    folded,
    holding,
    elided: holding.flatMap(({ elided }) => elided).filter(isSent),
    droppedImages: holding.flatMap(({ droppedImages }) => droppedImages).filter(isSent),
    unread: standing.filter(({ wordingVersion }) => wordingVersion > newestWording),
    undone: anchored.filter(({ undone }) => undone === true),
    unsuited: known.filter((record) => !suits(record)),
  };
}

/** Of those that reach equally far the newest. One that was made on another branch, over a shorter way, does not take the place of this one's. */
function furthest(path: ReadonlySet<MessageId>, memories: readonly MemoryRecord[]): MemoryRecord | null {
  const newest = new Map(memories.map((record) => [record.anchorId, record]));
  if (newest.size < 2) return memories.at(-1) ?? null;
  let found: MemoryRecord | null = null;
  for (const id of path) found = newest.get(id) ?? found;
  return found;
}

/** Whether it stands in for messages; the other kinds only leave something out. */
export function isMemory({ kind }: Pick<MemoryRecord, 'kind'>): boolean {
  return kind === 'card' || kind === 'pages' || kind === 'edit';
}

/** Own and those of the memories it was made over, undone ones among them. */
export function foldedBy(memory: MemoryRecord | null, records: readonly MemoryRecord[]): Set<MessageId> {
  const byId = new Map(memory === null ? [] : records.map((record) => [record.id, record]));
  const folded = new Set<MessageId>();
  const seen = new Set<RecordId>();
  for (let at = memory; at && !seen.has(at.id); at = (at.previousId && byId.get(at.previousId)) || null) {
    seen.add(at.id);
    for (const id of at.folded) folded.add(id);
  }
  return folded;
}
