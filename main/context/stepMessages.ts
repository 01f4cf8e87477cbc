// An agent's own step as it goes back to its model: the answer as it was, then the results of its calls (X1, X3). Pure.
import type { Part } from '../../shared/model/message';
import type { RequestMessage, RequestPart, VendorData } from '../../shared/model/request';
import type { Step, StepPart, StepVendor } from '../../shared/model/transcript';

/** Stands for the result of a call that was open when its step ended (X9). */
export const cancelled = 'Cancelled; it may have run.';

/** `shown` makes what the model may see of an ordinary part. */
export function stepMessages(step: Step, shown: (part: Part) => RequestPart[]): RequestMessage[] {
  const answer: RequestMessage = { role: 'assistant', parts: step.content.flatMap((part) => toParts(part, shown)) };
  const calls = step.content.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
  if (calls.length === 0) return [answer];
  const results = calls.map(({ callId, name }): RequestPart => {
    const result = step.results.find((one) => one.callId === callId);
    const images = result?.images?.map(({ type, hash, mime, name: imageName }) => ({ type, hash, mime, name: imageName }));
    const content = result ? (result.content ?? result.summary) : cancelled;
    return { type: 'toolResult', callId, name, content, isError: result ? result.isError === true : true, ...(images ? { images } : {}) };
  });
  return [answer, { role: 'tool', parts: results }];
}

function toParts(part: StepPart, shown: (part: Part) => RequestPart[]): RequestPart[] {
  if (part.type === 'vendor') return vendorOf(part.vendor).map((vendor) => ({ type: 'vendor', vendor }));
  if (part.type === 'toolCall') {
    const { callId, name, arguments: args } = part;
    return [{ type: 'toolCall', callId, name, arguments: args, ...withVendor(part.vendor) }];
  }
  if (part.type !== 'text' && part.type !== 'reasoning') return shown(part);
  const { vendor, ...plain } = part;
  const parts = shown(plain);
  if (parts.length === 0) return vendorOf(vendor).map((data) => ({ type: 'vendor', vendor: data }));
  return parts.map((one) => (one.type === part.type ? { ...one, ...withVendor(vendor) } : one));
}

function withVendor(vendor: StepVendor | undefined): { vendor?: VendorData } {
  const [data] = vendorOf(vendor);
  return data ? { vendor: data } : {};
}

/** A family this program does not know has no adapter to send it to. */
function vendorOf(vendor: StepVendor | undefined): VendorData[] {
  return vendor?.family === 'openai' || vendor?.family === 'gemini' ? [{ family: vendor.family, json: vendor.json }] : [];
}
