// What every result goes through: keys cut out, nothing that cannot be shown, one line of summary, and a flood moved to the blob store (A2, X4, Z3).

import { FailureError } from '../../../../shared/model/failure';
import type { ToolResult } from '../../../../shared/model/tool';
import { linesOf } from '../../../lib/textFile';
import type { ToolContext } from './definition';
import { cleanText, oneLine, shortenLines } from './output';

export async function finishResult(result: ToolResult, context: ToolContext): Promise<ToolResult> {
  const { content, ...rest } = result;
  const finished: ToolResult = { ...rest, summary: oneLine(context.hideKeys(result.summary)) || 'Done' };
  if (content === undefined) return finished;
  const text = context.hideKeys(cleanText(content));
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= context.limits.outputBytes) return text === '' ? finished : { ...finished, content: text };
  const lines = linesOf(text);
  const stored = await keep(bytes, lines.length, context);
  return {
    ...finished,
    content: shortenLines(lines, context.limits.shownCharacters, hintFor(stored, context)),
    ...(stored ? { stored } : {}),
  };
}

/** A disk that is full costs the middle of the output, not the call: it has been run. */
async function keep(bytes: Uint8Array, lines: number, context: ToolContext): Promise<ToolResult['stored']> {
  try {
    return { hash: await context.blobs.write(bytes, 'text/plain'), size: bytes.length, lines };
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
}

function hintFor(stored: ToolResult['stored'], context: ToolContext): (from: number, to: number) => string {
  if (stored === undefined) return () => 'They could not be kept.';
  if (!context.canRecall) return () => 'The user can read them in full; ask for less output.';
  return (from, to) => `Read them with recall ${JSON.stringify({ id: context.callId, from, to })}`;
}
