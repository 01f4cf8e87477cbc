// A model's card as it is kept: what only a result asks for is no directive in it, and what users asked is not forgotten (M1).
import type { MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import type { Step } from '../../../shared/model/transcript';
import { keepDirectives, requestsOf } from '../../context/card/directives';
import { type Voices, withoutForeign } from '../../context/card/foreignDirectives';
import { type Card, renderCard } from '../../context/card/sections';
import { cardRoom } from '../../context/card/shrinkCard';

export type KeptArgs = {
  /** Folded since the previous card, oldest first, with the agent's own steps. */
  messages: readonly Message[];
  steps: ReadonlyMap<MessageId, Step>;
  previous: Card | null;
  staying?: readonly Message[] | undefined;
  focus?: string | null | undefined;
  cardTokens: number;
};

/** `read`: what else the model was shown that is nobody's word. */
export function keptCard(args: KeptArgs, card: Card, read: readonly string[] = []): { card: Card; text: string } {
  const { previous, messages, steps, focus, staying = [] } = args;
  const room = cardRoom(args.cardTokens);
  const voices: Voices = {
    users: [...requestsOf([...staying, ...messages]), previous?.directives ?? '', focus ?? ''],
    results: () => [...messages.flatMap(({ id }) => steps.get(id)?.results.flatMap(({ content }) => content ?? []) ?? []), ...read],
  };
  const own = withoutForeign(card, voices, room);
  const kept = keepDirectives(previous, own, room, allRequests(previous, messages));
  return { card: kept, text: renderCard(kept) };
}

/** Of what is folded, those that begin the conversation before all. */
function allRequests(previous: Card | null, messages: readonly Message[]): string[] {
  const requests = requestsOf(messages);
  if (previous !== null) return requests;
  const answer = messages.findIndex(({ role }) => role === 'assistant');
  const opening = requestsOf(answer === -1 ? messages : messages.slice(0, answer));
  return [...opening, ...requests.slice(opening.length)];
}
