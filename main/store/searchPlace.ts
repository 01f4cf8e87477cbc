// The messages of a path that hold a text (Mod+F).
import type { MessageId } from '../../shared/model/ids';
import { type Message, textOf } from '../../shared/model/message';
import type { PathMatch, PathMatches } from '../../shared/model/search';
import { foldForSearch } from '../../shared/text/foldForSearch';
import { literalTerm, placesOf, type Term } from '../../shared/text/searchQuery';
import type { ReadableDb } from './database';
import { readSlice } from './messages';
import type { SearchOptions } from './searchMessages';
import { wordsOf } from './searchText';

/** Messages read at once. */
const slice = 200;

/** Messages of the path to `tipId` that hold the text, from depth `from` on, as far as the time of one call goes. Throws `notFound`. */
export function findOnPath(
  db: ReadableDb,
  args: { tipId: MessageId; query: string; from: number },
  { clock, budget }: SearchOptions,
): PathMatches {
  const term = literalTerm(args.query);
  if (term === null) return { tipId: args.tipId, matches: [], next: null };
  const end = clock() + budget;
  const matches: PathMatch[] = [];
  for (let from = args.from; ; from += slice) {
    const { items } = readSlice(db, { tipId: args.tipId, offset: from, count: slice });
    for (const message of items) {
      const count = countIn(message, term);
      if (count > 0) matches.push({ depth: message.depth, messageId: message.id, count });
    }
    if (items.length < slice) return { tipId: args.tipId, matches, next: null };
    if (clock() >= end) return { tipId: args.tipId, matches, next: from + slice };
  }
}

/** Of what a message shows as text; where only a folded call or a file holds it, the message counts once. */
function countIn(message: Message, term: Term): number {
  const shown = placesOf([term], foldForSearch(textOf(message))).length;
  if (shown > 0) return shown;
  const rest = message.parts.flatMap((part) => (part.type === 'text' ? [] : wordsOf(part))).join('\n');
  return placesOf([term], foldForSearch(rest), 1).length;
}
