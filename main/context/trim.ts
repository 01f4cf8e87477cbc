// What is left out where a request cannot fit and nothing better can be done: the oldest whole steps after the first request (X6). Pure.
import type { MessageId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { Message } from '../../shared/model/message';
import { estimateTokens } from '../../shared/text/estimateTokens';
import { messageOverhead } from './measureContext';
import type { BuiltMessage } from './pathMessage';
import { trimmed } from './wording';

/** A message of the path; a step is one of them with all its results, so that no result is ever parted from its call. */
export type TrimUnit = Pick<BuiltMessage, 'id' | 'role' | 'turnId'> & { tokens: number };

export type TrimArgs = {
  /** From the root on, those left out already not among them. */
  units: readonly TrimUnit[];
  /** Messages that are left out already. */
  before: number;
  /** Tokens for messages: the window without what is reserved, system prompt and tools. */
  room: number;
  /** Stay, whatever their size (L15). */
  pins?: ReadonlySet<MessageId> | undefined;
};

export type TrimPlan = {
  /** Left out, oldest first; never empty. */
  folded: MessageId[];
  kept: MessageId[];
  tokensAfter: number;
};

/** Room is made for a while: each trim rewrites what the provider has cached, so the next one should be some steps away (L10). */
const share = 0.8;

/** Null when it fits, or when nothing may go. Only what is protected remains where even that is too big. */
export function planTrim({ units, before, room, pins = new Set() }: TrimArgs): TrimPlan | null {
  const total = units.reduce((sum, { tokens }) => sum + tokens, noticeTokens(before));
  if (total <= room) return null;
  const stays = new Set([...protectedOf(units), ...pins]);
  const folded: TrimUnit[] = [];
  let freed = 0;
  const after = () => total - noticeTokens(before) - freed + noticeTokens(before + folded.length);
  for (const unit of units) {
    if (after() <= room * share) break;
    if (stays.has(unit.id)) continue;
    folded.push(unit);
    freed += unit.tokens;
  }
  if (folded.length === 0) return null;
  return { folded: folded.map(({ id }) => id), kept: [...stays], tokensAfter: after() };
}

/** The first request, the request of the turn in progress with what was steered into it, and what is answered now. */
export function protectedOf(units: readonly Pick<Message, 'id' | 'role' | 'turnId'>[]): Set<MessageId> {
  const last = units.at(-1);
  const asked = units.filter(({ role }) => role === 'user');
  const now = asked.filter(({ turnId }) => turnId !== undefined && turnId === last?.turnId);
  return new Set([asked[0], ...now, asked.at(-1), last].flatMap((unit) => unit?.id ?? []));
}

/** Those on the path that the records leave out. */
export function leftOutBy(path: ReadonlySet<MessageId>, trims: readonly MemoryRecord[]): Set<MessageId> {
  return new Set(trims.flatMap(({ folded }) => folded).filter((id) => path.has(id)));
}

/** Of what is said in the place of those left out. */
export function noticeTokens(count: number): number {
  return count === 0 ? 0 : messageOverhead + estimateTokens(trimmed(count));
}
