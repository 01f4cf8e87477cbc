// The arguments of a call, or a tool error that the model can act on.
import { readCallArguments } from '../../../lib/callArguments';
import { ToolError } from './definition';

/** Throws `ToolError` with what is wrong, so that the model can send it again. */
export function parseArguments(text: string): unknown {
  const read = readCallArguments(text);
  if ('error' in read) throw new ToolError(read.error);
  return read.value;
}
