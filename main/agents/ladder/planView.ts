// The next request as the window shows it, block by block, and what each rung would save now (M7, K2). Reads only; nothing here changes anything.

import { cardLimits, type NumbersInForce } from '../../../shared/model/compaction';
import type { DroppedImage, Elision, MemoryRecord, PagesReceipt } from '../../../shared/model/memoryRecord';
import type { PlanBlock, RungPreview } from '../../../shared/model/memoryView';
import type { RequestMessage } from '../../../shared/model/request';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import type { ImagePrice } from '../../context/imagePrice';
import { planDropImages } from '../../context/ladder/dropImages';
import { planElide } from '../../context/ladder/elide';
import { builtBytes, memoryBytes, memoryTokens, type Weight } from '../../context/ladder/weigh';
import { reserveOf } from '../../context/measureContext';
import type { BuiltMessage } from '../../context/pathMessage';
import { builtTokens, fixedTokens } from '../../context/requestSize';
import { estimatePages } from '../../context/snapshot/estimatePages';
import { familyOf, mostPagesFor } from '../../context/suits';
import { noticeTokens } from '../../context/trim';
import { droppedImage } from '../../context/wording';
import type { Standpoint } from '../answering';
import { type FoldCut, foldCut, isWorthACard } from './foldCut';
import { isFileTool, takesWorker } from './worker/takesWorker';

/** Characters of a message that are shown in its block. */
const excerptLength = 120;

export function planBlocks(stand: Standpoint, numbers: NumbersInForce): PlanBlock[] {
  const { context, agent, model, pins, turnId } = stand;
  const { request, layout, sent } = context;
  const tools = request.tools ?? [];
  const first = sent.find(({ role }) => role === 'user');
  const nameOf = (one: BuiltMessage): PlanBlock['name'] => {
    if (one === first) return 'firstRequest';
    if (pins.has(one.id)) return 'pin';
    return one.role === 'user' && turnId !== undefined && one.turnId === turnId ? 'request' : 'message';
  };
  const blockOf = (one: BuiltMessage): PlanBlock => ({
    name: nameOf(one),
    tokens: builtTokens(one, request.reasoningEcho !== 'never'),
    bytes: builtBytes(one),
    messageId: one.id,
    excerpt: excerptOf(one.messages),
    ...(isLean(stand, one) ? { lean: true as const } : {}),
  });
  const memory: PlanBlock = { name: 'memory', tokens: memoryTokens(layout.memory, context.price), bytes: memoryBytes(layout.memory) };
  const blocks: PlanBlock[] = [
    { name: 'system', tokens: fixedTokens({ system: request.system }), bytes: Buffer.byteLength(request.system) },
    {
      name: 'tools',
      tokens: tools.length === 0 ? 0 : fixedTokens({ system: '', tools }),
      bytes: tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(tools)),
    },
    ...layout.head.map(blockOf),
    memory,
    ...layout.request.map(blockOf),
    { name: 'notice', tokens: noticeTokens(layout.trimmed.size), bytes: 0 },
    ...layout.tail.map(blockOf),
    {
      name: 'reserve',
      tokens: numbers.window === null ? 0 : reserveOf(numbers.window, agent.parameters.maxOutput ?? model.maxOutput),
      bytes: 0,
    },
  ];
  return blocks.filter(({ tokens, messageId }) => tokens > 0 || messageId !== undefined);
}

/** Something of it is left out: it was built anew without that. */
function isLean({ built }: Standpoint, one: BuiltMessage): boolean {
  return built.find(({ id }) => id === one.id)?.messages !== one.messages;
}

function excerptOf(messages: readonly RequestMessage[]): string {
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type === 'text' && part.text.trim() !== '') return part.text.trim().slice(0, excerptLength);
      if (part.type === 'toolCall') return `${part.name} ${part.arguments}`.slice(0, excerptLength);
    }
  return '';
}

/** By estimate, each rung alone, by hand. `prices`: US dollars per million tokens of the summarizing model. */
export function previewRungs(
  stand: Standpoint,
  numbers: NumbersInForce,
  weight: Weight,
  prices: { input?: number | undefined; output?: number | undefined },
): RungPreview[] {
  const { context, pins } = stand;
  const { sent, layout } = context;
  /** `saves` of text, by estimate; `priced`: in tokens of the provider. */
  const shown = (rung: RungPreview['rung'], saves: number, cost: number | null, why: string | null, priced = 0): RungPreview => {
    const saved = Math.round(saves * weight.scale + priced);
    return { rung, saves: saved, tokensAfter: Math.max(0, weight.tokens - saved), cost, why };
  };
  const elide = planElide({ sent, before: layout.path.elided, pins, numbers, scale: weight.scale, occasion: 'hand' });
  const images = planDropImages({ sent, before: layout.path.droppedImages, pins, numbers, scale: weight.scale });
  const dropped = [...images.tool, ...images.user];
  const byHand = { stand, numbers, order: { measure: 'tokens', line: null }, before: weight } as const;
  const cut = foldCut(byHand, { stand });
  const gone = new Set([...layout.path.elided.map(keyOf), ...layout.path.droppedImages.map(keyOf)]);
  const hasResults = (one: BuiltMessage) => one.results().some(({ callId, saves }) => saves > 0 && !gone.has(`${one.id} ${callId}`));
  const hasImages = (one: BuiltMessage) => one.images.some(({ hash }) => !gone.has(`${one.id} ${hash}`));
  const none = layout.memory ? 'already' : 'nothing';
  const pages = previewPages(stand, cut, none, weight.scale);
  const why = cut === null ? none : isWorthACard(byHand, { stand }, cut) ? null : 'little';
  const fresh = cut?.fresh ?? [];
  return [
    shown('elide', elide?.saves ?? 0, 0, elide ? null : sent.some(hasResults) ? 'protected' : 'nothing'),
    shown('images', 0, 0, dropped.length > 0 ? null : sent.some(hasImages) ? 'protected' : 'nothing', savedByDropping(context, dropped)),
    pages.why === null ? shown('snapshot', 0, 0, null, pages.saves) : shown('snapshot', 0, null, pages.why),
    why === null
      ? shown('summary', savedByFold(stand, fresh, numbers), costOfSummary(stand, fresh, numbers, prices), null)
      : shown('summary', 0, 0, why),
  ];
}

/** By the price of each to this model, less what is said in its place. */
function savedByDropping({ sent, price }: Standpoint['context'], dropped: readonly DroppedImage[]): number {
  const keys = new Set(dropped.map(keyOf));
  const images = sent.flatMap((one) => one.images.filter(({ hash }) => keys.has(`${one.id} ${hash}`)));
  return images.reduce((sum, image) => sum + Math.max(0, price(image) - estimateTokens(droppedImage(image.name ?? ''))), 0);
}

const keyOf = (one: Elision | DroppedImage) => `${one.messageId} ${'callId' in one ? one.callId : one.hash}`;

/** By estimate, a token of text as dear as it is at the provider; earlier pages are printed again with what came since. */
function previewPages(
  { context, model }: Standpoint,
  cut: FoldCut | null,
  none: string,
  scale: number,
): { why: string } | { why: null; saves: number } {
  if (familyOf(model) === null) return { why: model.vision === true ? 'reader' : 'noVision' };
  if (!cut || cut.fresh.length === 0) return { why: none };
  if (mostPagesFor(model) === 0) return { why: 'noRoom' };
  const { memory } = context.layout;
  const ids = new Set(cut.fresh);
  const folded = context.sent.filter(({ id }) => ids.has(id));
  const sumOf = (price?: ImagePrice) => folded.reduce((sum, one) => sum + builtTokens(one, false, price), 0);
  const text = sumOf(noPrice);
  const again = printedAgain(memory);
  const made = estimatePages(
    folded.flatMap(({ messages }) => messages),
    text * scale,
    { modelId: model.id, imageRule: model.imageRule },
    { again: again && { ...again, textTokens: again.textTokens * scale }, most: mostPagesFor(model) },
  );
  if (!made) return { why: 'notCheaper' };
  const gone = text * scale + sumOf() - text + memoryTokens(memory, context.price) - memoryTokens(cut.base, context.price);
  return gone > made.tokens ? { why: null, saves: Math.floor(gone) - made.tokens } : { why: 'notCheaper' };
}

const noPrice: ImagePrice = () => 0;

/** All that earlier pages stand for: what is on them, what was dropped, and their beginning and end. */
function printedAgain(memory: MemoryRecord | null): Pick<PagesReceipt, 'characters' | 'textTokens'> | null {
  const pages = memory?.kind === 'pages' ? memory.receipt.pages : undefined;
  if (!pages) return null;
  const { head = '', tail = '' } = memory?.body?.frame ?? {};
  const whole = pages.characters === 0 ? 1 : (pages.characters + pages.dropped) / pages.characters;
  return {
    characters: pages.characters + pages.dropped + head.length + tail.length,
    textTokens: Math.ceil(pages.textTokens * whole) + estimateTokens(head) + estimateTokens(tail),
  };
}

/** A card is about as long as it is asked to be, and of little text shorter. */
function savedByFold({ context }: Standpoint, folded: readonly string[], { cardTokens }: NumbersInForce): number {
  const ids = new Set(folded);
  const gone = context.sent.reduce(
    (sum, one) => sum + (ids.has(one.id) ? builtTokens(one, true) : 0),
    memoryTokens(context.layout.memory, context.price),
  );
  return Math.floor(gone - Math.min(cardTokens, cardLimits.target, gone / 3));
}

/** About four answers over a digest and what was looked at. */
const workerInput = 48_000;

/** The digest's target and a card; a worker is sent more. */
function costOfSummary(
  { context, agent }: Standpoint,
  folded: readonly string[],
  numbers: NumbersInForce,
  { input, output }: { input?: number | undefined; output?: number | undefined },
): number | null {
  if (input === undefined || output === undefined) return null;
  const ids = new Set(folded);
  const parts = context.sent.flatMap((one) => (ids.has(one.id) ? one.messages.flatMap((message) => message.parts) : []));
  const hasFiles = parts.some((part) => part.type === 'toolCall' && isFileTool(part.name));
  const read = takesWorker(numbers, agent.tools, hasFiles) ? workerInput : 8_000;
  return (read * input + numbers.cardTokens * output) / 1_000_000;
}
