// What the next request would hold, for the ring: max(reported use + estimate of what came after, estimate of all) (L7). Pure.
// A path is summed message by message, so that a longer path costs only what was added to it.
import type { ContextBlock, ContextView } from '../../shared/model/contextView';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import { estimateTokens } from '../../shared/text/estimateTokens';

/** Tokens an image costs until prices per model are known: a mid-size picture on the common tariffs. */
export const imageTokens = 1000;
/** Tokens of role markers and separators around one message. */
export const messageOverhead = 4;
const defaultReserve = 4096;

/** Tokens from the root to one message: estimates of text and attachments, and the last use a provider reported with what came after it. */
export type PathSum = { text: number; attachments: number; reported: number; afterReported: number };
export const emptySum: PathSum = { text: 0, attachments: 0, reported: 0, afterReported: 0 };

export function addMessage(sum: PathSum, message: Pick<Message, 'parts' | 'usage'>): PathSum {
  const { text, attachments } = messageTokens(message);
  const { usage } = message;
  const total = { text: sum.text + text, attachments: sum.attachments + attachments };
  if (usage && !usage.estimated) return { ...total, reported: usage.input + usage.output - (usage.reasoning ?? 0), afterReported: 0 };
  return { ...total, reported: sum.reported, afterReported: sum.afterReported + text + attachments };
}

/** Several messages in a row, summed by themselves. */
export type Stretch = { sum: PathSum /** Whether a provider reported its use in it. */; reports: boolean };

export function sumStretch(messages: readonly Pick<Message, 'parts' | 'usage'>[]): Stretch {
  return { sum: messages.reduce(addMessage, emptySum), reports: messages.some(({ usage }) => usage && !usage.estimated) };
}

/** The sum up to the end of the stretch: the same as adding its messages one by one. */
export function addStretch(before: PathSum, { sum, reports }: Stretch): PathSum {
  const total = { text: before.text + sum.text, attachments: before.attachments + sum.attachments };
  if (reports) return { ...total, reported: sum.reported, afterReported: sum.afterReported };
  return { ...total, reported: before.reported, afterReported: before.afterReported + sum.text + sum.attachments };
}

/** Tokens kept free for the answer. */
export function reserveOf(window: number, maxOutput: number | undefined): number {
  return Math.min(maxOutput ?? defaultReserve, Math.floor(window / 4));
}

/** What is around the messages: the lines of the ladder, and tokens of the tools. */
export type MeasureFrame = { lines: ContextView['lines']; tools: number };
const noFrame: MeasureFrame = { lines: { threshold: null, requestThreshold: null }, tools: 0 };

export function measureContext(sum: PathSum, systemPrompt: string, model: ModelInfo | null, { lines, tools } = noFrame): ContextView {
  const window = model?.contextWindow ?? null;
  const system = estimateTokens(systemPrompt);
  const reported = sum.reported > 0 ? sum.reported + sum.afterReported : 0;
  const estimate = system + tools + sum.text + sum.attachments;
  const blocks: ContextBlock[] = [
    { name: 'system', tokens: system },
    { name: 'tools', tokens: tools },
    { name: 'messages', tokens: sum.text + Math.max(0, reported - estimate) },
    { name: 'attachments', tokens: sum.attachments },
    { name: 'reserve', tokens: window === null ? 0 : reserveOf(window, model?.maxOutput) },
  ];
  return {
    tokens: Math.max(reported, estimate),
    window,
    blocks: blocks.filter((block) => block.tokens > 0),
    reported: reported >= estimate && reported > 0,
    lines,
  };
}

function messageTokens(message: Pick<Message, 'parts'>): { text: number; attachments: number } {
  let text = messageOverhead;
  let attachments = 0;
  for (const part of message.parts) {
    if (part.type === 'text') text += estimateTokens(part.text);
    if (part.type === 'image') attachments += imageTokens;
    if (part.type === 'file') attachments += Math.ceil((part.textLength ?? 0) / 4);
  }
  return { text, attachments };
}
