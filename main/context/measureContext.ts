// What the next request would hold, for the ring: max(reported use + estimate of what came after, estimate of all) (L7). Pure.
import type { ContextBlock, ContextView } from '../../shared/model/contextView';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import { estimateTokens } from './estimateTokens';

/** Tokens an image costs until prices per model are known: a mid-size picture on the common tariffs. */
const imageTokens = 1000;
/** Tokens of role markers and separators around one message. */
const messageOverhead = 4;
const defaultReserve = 4096;

export type MeasureInput = { path: readonly Message[]; systemPrompt: string; model: ModelInfo | null };

export function measureContext({ path, systemPrompt, model }: MeasureInput): ContextView {
  const window = model?.contextWindow ?? null;
  const system = estimateTokens(systemPrompt);
  const sizes = path.map(messageTokens);
  const text = sum(sizes.map((size) => size.text));
  const attached = sum(sizes.map((size) => size.attachments));
  const lastReported = path.findLastIndex((message) => message.usage && !message.usage.estimated);
  const usage = path[lastReported]?.usage;
  const after = sum(sizes.slice(lastReported + 1).map((size) => size.text + size.attachments));
  const reported = usage ? usage.input + usage.output - (usage.reasoning ?? 0) + after : 0;
  const estimate = system + text + attached;
  const blocks: ContextBlock[] = [
    { name: 'system', tokens: system },
    { name: 'messages', tokens: text + Math.max(0, reported - estimate) },
    { name: 'attachments', tokens: attached },
    { name: 'reserve', tokens: window === null ? 0 : Math.min(model?.maxOutput ?? defaultReserve, Math.floor(window / 4)) },
  ];
  return {
    tokens: Math.max(reported, estimate),
    window,
    blocks: blocks.filter((block) => block.tokens > 0),
    reported: reported >= estimate && reported > 0,
  };
}

function messageTokens(message: Message): { text: number; attachments: number } {
  let text = messageOverhead;
  let attachments = 0;
  for (const part of message.parts) {
    if (part.type === 'text') text += estimateTokens(part.text);
    if (part.type === 'image') attachments += imageTokens;
    if (part.type === 'file') attachments += Math.ceil((part.textLength ?? 0) / 4);
  }
  return { text, attachments };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
