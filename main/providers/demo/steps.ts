// What an order of the demo is made of: steps that follow from what was done so far.
import type { RequestMessage, ToolResultRequestPart } from '../../../shared/model/request';

/** `arguments` is text, so that it can be broken on order. */
export type DemoCall = { name: string; arguments: string };
export type DemoStep = { text: string; calls: DemoCall[] };
/** What came after the order, and what was said before it. */
export type Turn = { done: readonly RequestMessage[]; before: readonly RequestMessage[] };
/** The next step; null when the order is carried out. */
export type Steps = (turn: Turn) => DemoStep | null;
/** Which tools there are; `spare` is called where the one that fits is not. */
export type Tools = { has(name: string): boolean; spare: string };

export function call(name: string, args: Record<string, unknown>): DemoCall {
  return { name, arguments: JSON.stringify(args) };
}

/** The results of each step. */
export function resultsIn(messages: readonly RequestMessage[]): ToolResultRequestPart[][] {
  const answered = messages.filter(({ role }) => role === 'tool');
  return answered.map(({ parts }) => parts.flatMap((part) => (part.type === 'toolResult' ? [part] : [])));
}
