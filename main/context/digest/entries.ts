// What a digest tells of one message: its text, how many images, which calls. No reasoning and no opaque data ever come this far (L18). Pure.
import type { AgentId, MessageId } from '../../../shared/model/ids';
import { type Message, textOf } from '../../../shared/model/message';
import type { Step, StepResult } from '../../../shared/model/transcript';
import { readCallArguments } from '../../lib/callArguments';
import { oneLine, quoted, quotedLine } from './frame';

/** Characters of each thing at most. */
export type Detail = { request: number; text: number; args: number; result: number; summary: number };

export type Entry = { mark: string; isRequest: boolean; text: string; images: number; files: string[]; calls: CallEntry[] };
/** `result`: the whole body where it says more than the summary. */
type CallEntry = { name: string; failed: string | undefined; summary: string; args: string; result: string };

export type Told = {
  messages: readonly Message[];
  /** The agent's own, as its transcript has them; the store has only the summaries of results. */
  steps?: ReadonlyMap<MessageId, Step> | undefined;
  agentNames?: ReadonlyMap<AgentId, string> | undefined;
};

export function entriesOf({ messages, steps, agentNames }: Told): Entry[] {
  return messages.map((message) => entryOf(message, steps?.get(message.id), agentNames));
}

function entryOf(message: Message, step: Step | undefined, names: Told['agentNames']): Entry {
  const results = new Map(step?.results.map((result) => [result.callId, result]));
  const entry: Entry = {
    mark: markOf(message, names),
    isRequest: message.role === 'user',
    text: textOf(message),
    images: 0,
    files: [],
    calls: [],
  };
  for (const part of message.parts) {
    if (part.type === 'image') entry.images++;
    if (part.type === 'file') entry.files.push(oneLine(part.name, 120));
    if (part.type === 'toolCall') entry.calls.push(callOf(part, results.get(part.callId)));
  }
  for (const { images } of results.values()) entry.images += images?.length ?? 0;
  return entry;
}

function markOf({ role, status, agentId }: Message, names: Told['agentNames']): string {
  if (role === 'user') return '[User]';
  if (role === 'digest') return '[Digest of another branch]';
  const name = agentId === undefined ? undefined : names?.get(agentId);
  const who = name === undefined ? 'Assistant' : `Assistant ${oneLine(name, 60).replaceAll(/[[\]]/g, ' ')}`;
  return status === 'interrupted' ? `[${who}, broke off]` : `[${who}]`;
}

type ToolCall = Extract<Message['parts'][number], { type: 'toolCall' }>;

function callOf(part: ToolCall, result: StepResult | undefined): CallEntry {
  const summary = result?.summary ?? part.summary;
  return {
    name: part.name,
    failed: part.outcome ?? result?.outcome ?? (part.isError || result?.isError ? 'failed' : undefined),
    summary: summary ?? 'no result',
    args: part.arguments,
    result: result?.content === undefined || result.content === summary ? '' : result.content,
  };
}

/** Name, path and how it failed. Asked for when it is told: a long history has more calls than are ever told. */
function headOf({ name, args, failed }: CallEntry): string {
  const read = readCallArguments(args);
  const path = 'value' in read ? read.value['path'] : undefined;
  const words = [oneLine(name, 60), typeof path === 'string' ? oneLine(path, 200) : '', failed ? `(${failed})` : ''];
  return words.filter((word) => word !== '').join(' ');
}

/** The lines of one message at this detail; none where it says nothing. */
export function linesAt({ mark, isRequest, text, images, files, calls }: Entry, detail: Detail): string[] {
  const lines = quoted(text, isRequest ? detail.request : detail.text);
  if (files.length > 0) lines.push('[Files attached]', ...files.map(quotedLine));
  if (images > 0) lines.push(images === 1 ? '[1 image]' : `[${images} images]`);
  if (lines.length > 0) lines.unshift(mark);
  if (calls.length > 0) lines.push('[Tool calls]', ...calls.flatMap((call) => callLines(call, detail)));
  return lines;
}

function callLines(call: CallEntry, detail: Detail): string[] {
  const lines = [quotedLine(`${headOf(call)}: ${oneLine(call.summary, detail.summary)}`)];
  const args = detail.args > 0 ? oneLine(call.args, detail.args) : '';
  if (args !== '' && args !== '{}') lines.push('[with]', quotedLine(args));
  const body = quoted(call.result, detail.result);
  if (body.length > 0) lines.push('[gave]', ...body);
  return lines;
}
