// The one measure of a request (L7): max(reported use of the last good step + estimate of what came after, estimate of all). Pure.
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { RequestMessage } from '../../../shared/model/request';
import type { BuiltContext } from '../buildRequest';
import type { ImagePrice } from '../imagePrice';
import { memoryMessage } from '../memoryMessage';
import type { BuiltMessage } from '../pathMessage';
import { builtTokens, fixedTokens } from '../requestSize';
import { noticeTokens } from '../trim';

/** `bytes` of the serialized request; `reported` is null where no use counts. `scale`: how much more a token of the estimate is at this provider. */
export type Weight = { tokens: number; bytes: number; estimate: number; reported: number | null; scale: number };

export type WeighArgs = {
  context: BuiltContext;
  /** At least 1: raised by a refusal that named a count, and by reported use (L16). */
  raised?: number | undefined;
};

/**
 * Use reported before the latest change of what is left out never counts. What it said of the estimate does, until there is a new one: else the
 * same request would weigh less after a change than before it.
 */
export function weigh({ context, raised: asked = 1 }: WeighArgs): Weight {
  const { request, sent, layout } = context;
  const withReasoning = request.reasoningEcho !== 'never';
  const tokensOf = (one: BuiltMessage) => builtTokens(one, withReasoning);
  const outside = fixedTokens(request) + memoryTokens(layout.memory, context.price) + noticeTokens(layout.trimmed.size);
  const estimate = sent.reduce((sum, one) => sum + tokensOf(one), outside);
  const bytes = fixedBytes(request) + sent.reduce((sum, one) => sum + builtBytes(one), memoryBytes(layout.memory));
  const changes = [...layout.path.holding, ...layout.path.undone];
  const at = lastReported(sent, Math.max(0, ...changes.map(changedAt)));
  const last = at < 0 ? undefined : sent[at];
  const raised = last?.reported === undefined ? Math.max(asked, scaleAt(changes)) : asked;
  const after = sent.slice(at + 1).reduce((sum, one) => sum + tokensOf(one), 0);
  const through = estimate - after;
  const scale = Math.max(raised, last?.reported === undefined ? 1 : clamp(last.reported / Math.max(1, through)));
  const reported = last?.reported === undefined ? null : last.reported + Math.ceil(after * scale);
  return { tokens: Math.max(reported ?? 0, Math.ceil(estimate * Math.max(1, raised))), bytes, estimate, reported, scale };
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
