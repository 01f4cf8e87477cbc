// The one measure of a request (L7): max(reported use of the last good step + estimate of what came after, estimate of all). Pure.
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { RequestMessage } from '../../../shared/model/request';
import type { BuiltContext } from '../buildRequest';
import type { ImagePrice } from '../imagePrice';
import { memoryMessage } from '../memoryMessage';
import type { BuiltMessage } from '../pathMessage';
import { builtTokens, fixedTokens } from '../requestSize';
import { noticeTokens } from '../trim';

/** `bytes` of the serialized request; `reported` is null where no use counts. `scale`: how much more a token of text is at this provider than by estimate. */
export type Weight = { tokens: number; bytes: number; estimate: number; reported: number | null; scale: number };

export type WeighArgs = {
  context: BuiltContext;
  /** At least 1: a refusal named a count; it says nothing of which part is to blame (L16). */
  raised?: number | undefined;
  /** At least 1: what reported use said of texts before. Images have their own price. */
  scale?: number | undefined;
};

/**
 * Use reported before the latest change of what is left out never counts. What it said of the estimate does, until there is a new one: else the
 * same request would weigh less after a change than before it.
 */
export function weigh({ context, raised = 1, scale: known = 1 }: WeighArgs): Weight {
  const { request, sent, layout } = context;
  const withReasoning = request.reasoningEcho !== 'never';
  const sum = (all: readonly BuiltMessage[]) => all.reduce((total, one) => total + builtTokens(one, withReasoning), 0);
  const pictures = (all: readonly BuiltMessage[]) => all.reduce((total, one) => total + imageTokensOf(one, withReasoning), 0);
  const { memory, path } = layout;
  const estimate = sum(sent) + fixedTokens(request) + memoryTokens(memory, context.price) + noticeTokens(layout.trimmed.size);
  const images = pictures(sent) + pageTokens(memory, context.price);
  const bytes = fixedBytes(request) + sent.reduce((total, one) => total + builtBytes(one), memoryBytes(memory));
  const changes = [...path.holding, ...path.undone];
  const at = lastReported(sent, Math.max(0, ...changes.map(changedAt)));
  const last = sent[at]?.reported;
  const newer = sent.slice(at + 1);
  const after = { text: sum(newer) - pictures(newer), images: pictures(newer) };
  const told = last === undefined ? scaleAt(changes) : 1;
  const counted = last === undefined ? 1 : clamp((last - images + after.images) / Math.max(1, estimate - images - after.text));
  const scale = Math.max(raised, known, told, counted);
  const reported = last === undefined ? null : last + Math.ceil(after.text * scale + after.images * raised);
  const least = Math.ceil((estimate - images) * Math.max(1, raised, known, told) + images * raised);
  return { tokens: Math.max(reported ?? 0, least), bytes, estimate, reported, scale };
}

const free: ImagePrice = () => 0;

function imageTokensOf(one: BuiltMessage, withReasoning: boolean): number {
  return one.images.length === 0 ? 0 : builtTokens(one, withReasoning) - builtTokens(one, withReasoning, free);
}

function pageTokens(memory: MemoryRecord | null, price: ImagePrice): number {
  return memory?.body?.pages.length ? memoryTokens(memory, price) - memoryTokens(memory, free) : 0;
}

/** An estimate is not that far off: a count beyond that is of something else. */
function clamp(ratio: number): number {
  return Math.min(4, Math.max(0.5, ratio));
}

/** As it was when the last of them began or ceased to hold. A trim is made where nothing is known anew. */
function scaleAt(changes: readonly MemoryRecord[]): number {
  let last: MemoryRecord | undefined;
  for (const one of changes) if (one.kind !== 'trim' && (!last || changedAt(one) >= changedAt(last))) last = one;
  return last?.receipt.scale ?? 1;
}

function lastReported(sent: BuiltContext['sent'], changed: number): number {
  return sent.findLastIndex((one) => one.reported !== undefined && one.reported > 0 && !one.interrupted && one.createdAt > changed);
}

/** When a record began or ceased to hold. */
export function changedAt({ receipt, changedAt }: MemoryRecord): number {
  return Math.max(receipt.createdAt, changedAt ?? 0);
}

const messages = new WeakMap<MemoryRecord, RequestMessage[]>();

function memoryOf(memory: MemoryRecord): RequestMessage[] {
  const known = messages.get(memory) ?? [memoryMessage(memory)];
  messages.set(memory, known);
  return known;
}

/** `price` of a page, to the model that is asked. */
export function memoryTokens(memory: MemoryRecord | null, price: ImagePrice): number {
  return memory === null ? 0 : builtTokens({ messages: memoryOf(memory) }, true, price);
}

/** As it is sent: pages in base64. */
export function memoryBytes(memory: MemoryRecord | null): number {
  if (memory === null) return 0;
  const pages = memory.body?.pages ?? [];
  return pages.reduce((sum, { size }) => sum + Math.ceil((size ?? 0) / 3) * 4, bytesOf(memoryOf(memory)));
}

const bytes = new WeakMap<readonly RequestMessage[], number>();

function bytesOf(list: readonly RequestMessage[]): number {
  const known = bytes.get(list) ?? Buffer.byteLength(JSON.stringify(list));
  bytes.set(list, known);
  return known;
}

/** As they are sent: images in base64. */
export function builtBytes({ messages: list, images }: Pick<BuiltMessage, 'messages' | 'images'>): number {
  if (images.length === 0) return bytesOf(list);
  const sent = new Set(list.flatMap(({ parts }) => parts.flatMap(imagesIn)));
  return images.reduce((sum, { hash, size }) => sum + (sent.has(hash) ? Math.ceil(size / 3) * 4 : 0), bytesOf(list));
}

function imagesIn(part: RequestMessage['parts'][number]) {
  if (part.type === 'image') return [part.hash];
  return part.type === 'toolResult' ? (part.images ?? []).map(({ hash }) => hash) : [];
}

function fixedBytes({ system, tools }: BuiltContext['request']): number {
  return Buffer.byteLength(system) + (tools ? Buffer.byteLength(JSON.stringify(tools)) : 0);
}
