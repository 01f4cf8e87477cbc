// Joins what tools gave back to their calls: one line as the call's summary, all of it beside the call where a line does not hold it.
import type { ToolCallPart } from '../../shared/model/message';
import type { ImportedPart, SourcePart, ToolResultPart } from './importedTree';

const longestSummary = 200;

export function joinResults(parts: readonly SourcePart[], format: string): ImportedPart[] {
  if (!parts.some(({ type }) => type === 'toolResult')) return parts.flatMap((part) => (part.type === 'toolResult' ? [] : [part]));
  const joined: ImportedPart[] = [];
  const waiting = new Map<string, number>();
  const wholes = new Map<number, ImportedPart[]>();
  for (const part of parts) {
    if (part.type !== 'toolResult') {
      if (part.type === 'toolCall' && part.summary === undefined) waiting.set(part.callId, joined.length);
      joined.push(part);
      continue;
    }
    const found = callOf(part, waiting, joined);
    const at =
      found ??
      joined.push({ type: 'toolCall', callId: part.callId ?? `result-${joined.length}`, name: part.name ?? 'tool', arguments: '' }) - 1;
    const call = joined[at];
    if (call?.type !== 'toolCall') continue;
    waiting.delete(call.callId);
    const { summary, isWhole } = summaryOf(part.text);
    joined[at] = { ...call, summary, ...(part.isError === true ? { isError: true } : {}) };
    if (!isWhole)
      wholes.set(at, [
        ...(wholes.get(at) ?? []),
        { type: 'raw', source: `${format}/toolResult`, json: JSON.stringify({ callId: call.callId, text: part.text }) },
      ]);
  }
  return joined.flatMap((part, at) => [part, ...(wholes.get(at) ?? [])]);
}

/** By the id of the call; without one the last call that waits, of the same tool if there is one. */
function callOf(result: ToolResultPart, waiting: ReadonlyMap<string, number>, joined: readonly ImportedPart[]): number | undefined {
  if (result.callId !== undefined) return waiting.get(result.callId);
  const open = [...waiting.values()];
  const isSame = (at: number) => nameOf(joined[at]) === result.name;
  return open.filter(isSame).at(-1) ?? open.at(-1);
}

const nameOf = (part: ImportedPart | undefined): ToolCallPart['name'] | undefined => (part?.type === 'toolCall' ? part.name : undefined);

function summaryOf(text: string): { summary: string; isWhole: boolean } {
  const trimmed = text.trim();
  const end = trimmed.indexOf('\n');
  const line = end < 0 ? trimmed : trimmed.slice(0, end).trimEnd();
  const isWhole = end < 0 && trimmed.length <= longestSummary;
  return { summary: isWhole ? trimmed : `${line.slice(0, longestSummary).replace(/[\uD800-\uDBFF]$/, '')}…`, isWhole };
}
