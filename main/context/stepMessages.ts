// An agent's own step as it goes back to its model: the answer as it was, then the results of its calls (X1, X3). Pure.
import { isVendorFamily, type RequestMessage, type RequestPart, type VendorData } from '../../shared/model/request';
import type { Step, StepPart, StepResult, StepVendor } from '../../shared/model/transcript';
import { type Sight, seen, toRequestParts } from './requestParts';
import { cancelled, elided, toldCall } from './wording';

type ToolCall = Extract<StepPart, { type: 'toolCall' }>;
/** A step, or what a message tells of one whose transcript is lost. */
export type Told = Pick<Step, 'content' | 'results'>;

/** With calls and results in their places. */
export function stepMessages({ content, results }: Told, sight: Sight): RequestMessage[] {
  const answer: RequestMessage = { role: 'assistant', parts: content.flatMap((part) => toParts(part, sight)) };
  const answered = callsOf(content).map(({ callId, name }): RequestPart => {
    const result = resultOf(results, callId);
    const { content: text, images } = shownResult(result, sight);
    const isError = result ? result.isError === true : true;
    return { type: 'toolResult', callId, name, content: text, isError, ...(images.length > 0 ? { images } : {}) };
  });
  return answered.length === 0 ? [answer] : [answer, { role: 'tool', parts: answered }];
}

/**
 * The same as text, told by the user: a model that reads calls in its own words begins to write them instead of calling. Opaque data goes
 * with the calls it belongs to.
 */
export function stepAsText({ content, results }: Told, sight: Sight): RequestMessage[] {
  const calls = callsOf(content);
  const said = content.flatMap((part) =>
    part.type === 'toolCall' || part.type === 'vendor' || (part.type === 'reasoning' && calls.length > 0)
      ? []
      : toRequestParts(part, sight),
  );
  const answer: RequestMessage = { role: 'assistant', parts: said };
  const told = calls.flatMap(({ callId, name, arguments: args }): RequestPart[] => {
    const { content: text, images } = shownResult(resultOf(results, callId), sight);
    return [{ type: 'text', text: toldCall(name, args, text) }, ...images];
  });
  return told.length === 0 ? [answer] : [answer, { role: 'user', parts: told }];
}

function callsOf(content: readonly StepPart[]): ToolCall[] {
  return content.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
}

function resultOf(results: readonly StepResult[], callId: string): StepResult | undefined {
  return results.find((one) => one.callId === callId);
}

function shownResult(result: StepResult | undefined, sight: Sight) {
  if (!result) return { content: cancelled, images: [] };
  const shown = (result.images ?? []).map((image) => seen(image, sight));
  const told = shown.flatMap((one) => one.told ?? []);
  const isLeftOut = result.content !== undefined && sight.leaving?.calls.has(result.callId);
  const text = isLeftOut ? elided(result.summary, sight.canRecall ? result.callId : undefined) : (result.content ?? result.summary);
  const content = told.length === 0 ? text : [text, ...told].join('\n');
  return { content, images: shown.flatMap((one) => one.image ?? []) };
}

function toParts(part: StepPart, sight: Sight): RequestPart[] {
  if (part.type === 'vendor') return vendorOf(part.vendor).map((vendor) => ({ type: 'vendor', vendor }));
  if (part.type === 'toolCall') {
    const { callId, name, arguments: args } = part;
    return [{ type: 'toolCall', callId, name, arguments: args, ...withVendor(part.vendor) }];
  }
  const parts = toRequestParts(part, sight);
  if (part.type !== 'text' && part.type !== 'reasoning') return parts;
  if (parts.length === 0) return vendorOf(part.vendor).map((vendor) => ({ type: 'vendor', vendor }));
  return parts.map((one) => (one.type === part.type ? { ...one, ...withVendor(part.vendor) } : one));
}

function withVendor(vendor: StepVendor | undefined): { vendor?: VendorData } {
  const [data] = vendorOf(vendor);
  return data ? { vendor: data } : {};
}

/** A family this program does not know has no adapter to send it to. */
function vendorOf(vendor: StepVendor | undefined): VendorData[] {
  if (vendor === undefined || !isVendorFamily(vendor.family)) return [];
  return [{ family: vendor.family, json: vendor.json }];
}
