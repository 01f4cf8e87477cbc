// What decides whether a result of a tool may be left out of later requests (L2). Pure.
import { posix } from 'node:path';
import type { Step, StepPart, StepResult } from '../../shared/model/transcript';
import { estimateTokens } from '../../shared/text/estimateTokens';
import { readCallArguments } from '../lib/callArguments';
import { elided } from './wording';

export type ResultFacts = {
  callId: string;
  name: string;
  /** Tokens that leaving its content out saves; 0 where it has none beside its summary. */
  saves: number;
  /** Tokens of its content. */
  tokens: number;
  isError: boolean;
  useless: boolean;
  /** Of a file that was read. */
  read?: FileRead | undefined;
};

/** `range` is empty for a whole file: such a read takes the place of all earlier ones of that file, one of a range only of the same range. */
export type FileRead = { path: string; range: string };

type ToolCall = Extract<StepPart, { type: 'toolCall' }>;

/** In the order of the calls; a call without a result has none. */
export function resultFacts({ content, results }: Pick<Step, 'content' | 'results'>): ResultFacts[] {
  return content.flatMap((part) => {
    const result = part.type === 'toolCall' ? results.find(({ callId }) => callId === part.callId) : undefined;
    return part.type === 'toolCall' && result ? [factsOf(part, result)] : [];
  });
}

function factsOf(call: ToolCall, result: StepResult): ResultFacts {
  const { callId, name } = call;
  const tokens = result.content === undefined ? 0 : estimateTokens(result.content);
  return {
    callId,
    name,
    tokens,
    saves: result.content === undefined ? 0 : Math.max(0, tokens - estimateTokens(elided(result.summary, callId))),
    isError: result.isError === true,
    useless: result.useless === true && result.isError !== true,
    read: result.isError ? undefined : readOf(call),
  };
}

function readOf({ name, arguments: text }: ToolCall): FileRead | undefined {
  if (name !== 'read_file') return undefined;
  const asked = readCallArguments(text);
  const { path, offset, limit } = 'value' in asked ? asked.value : {};
  if (typeof path !== 'string') return undefined;
  const range = offset === undefined && limit === undefined ? '' : `${offset ?? 1}+${limit ?? ''}`;
  return { path: posix.normalize(path.replaceAll('\\', '/')), range };
}
