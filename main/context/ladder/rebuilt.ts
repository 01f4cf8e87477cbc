// The rebuilt context without tail and pins stays within its number (M6): over it, files that were read for the memory become references, the last
// marked first. Pure.
import type { NumbersInForce } from '../../../shared/model/compaction';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryBody, MemoryRecord } from '../../../shared/model/memoryRecord';
import type { BuiltContext } from '../buildRequest';
import { memoryMessage } from '../memoryMessage';
import type { BuiltMessage } from '../pathMessage';
import { builtTokens, fixedTokens } from '../requestSize';

type MemoryFile = MemoryBody['files'][number];
export type RebuiltArgs = {
  record: MemoryRecord;
  /** Built with it. */
  context: Pick<BuiltContext, 'request' | 'layout'>;
  pins: ReadonlySet<MessageId>;
  numbers: Pick<NumbersInForce, 'rebuiltTokens'>;
  /** Tokens of the whole request that contents of files must not lead above; null for none. */
  goal: number | null;
};

/** The record as it may be used: the same where nothing has to give way. */
export function withinRebuilt({ record, context, pins, numbers, goal }: RebuiltArgs): MemoryRecord {
  const { body } = record;
  if (!body || body.files.length === 0) return record;
  const { request, layout } = context;
  const isPinned = ({ id }: BuiltMessage) => pins.has(id);
  const around = [...layout.head, ...layout.request];
  const own = fixedTokens(request) + tokensOf(around.filter((one) => !isPinned(one)));
  const rest = tokensOf([...around.filter(isPinned), ...layout.tail]);
  const room = Math.min(numbers.rebuiltTokens, (goal ?? Number.POSITIVE_INFINITY) - rest) - own;
  let fitted = body;
  while (fitted.files.length > 0 && bodyTokens(fitted) > room) fitted = withoutLastFile(fitted);
  return fitted === body ? record : { ...record, body: fitted };
}

function tokensOf(all: readonly BuiltMessage[]): number {
  return all.reduce((sum, one) => sum + builtTokens(one, true), 0);
}

function bodyTokens(body: MemoryBody): number {
  return builtTokens({ messages: [memoryMessage({ body })] }, true);
}

function withoutLastFile(body: MemoryBody): MemoryBody {
  const files = body.files.slice(0, -1);
  const last = body.files.at(-1);
  if (!last) return body;
  const stands = [...files, ...body.references].some(({ path }) => path === last.path);
  return { ...body, files, references: stands ? body.references : [referenceOf(last), ...body.references] };
}

/** In place of contents. */
export function referenceOf({ path, from, to }: MemoryFile): MemoryBody['references'][number] {
  return { path, why: from === undefined ? 'to be read again' : `to be read again; lines ${from} to ${to ?? from}` };
}
