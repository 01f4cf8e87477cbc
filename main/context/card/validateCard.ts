// Whether a model's answer is a card (M3): not empty, not declined, whole, not something else, and no larger than a card may be. Pure.
import { type CardFault, isCall, isRefusal, oddIn } from './faults';
import { type Card, cardSections, parseCard, renderCard } from './sections';
import { cardRoom, fits, shrinkCard } from './shrinkCard';

export type ValidCard = { ok: true; card: Card; text: string };
export type InvalidCard = { ok: false; reasons: CardFault[] };

/** Characters that are looked at; no card is a tenth of it. */
const mostLooked = 200_000;

/** What is a little too large is shrunk first. `text` is the card as it is kept. */
export function validateCard(text: string, { cardTokens }: { cardTokens: number }): ValidCard | InvalidCard {
  if (!/[\p{L}\p{N}]/u.test(text)) return { ok: false, reasons: ['emptyAnswer'] };
  if (text.length > mostLooked) return { ok: false, reasons: ['oversized'] };
  const parsed = parseCard(text);
  if (sectionsOf(parsed) === 0) return { ok: false, reasons: insteadOf(text) };
  const reasons = [...missing(parsed), ...oddIn(renderCard(parsed))];
  const room = cardRoom(cardTokens);
  const card = shrinkCard(parsed, room);
  // What has room only as a bare Task was no card of that size.
  if (!fits(card, room) || sectionsOf(card) < Math.min(least, sectionsOf(parsed))) reasons.push('oversized');
  return reasons.length > 0 ? { ok: false, reasons } : { ok: true, card, text: renderCard(card) };
}

const least = 2;

function sectionsOf(card: Card): number {
  return cardSections.filter(({ key }) => card[key].length > 0).length;
}

function missing(card: Card): CardFault[] {
  if (card.task === '') return ['noTask'];
  if (isRefusal(card.task)) return ['refused'];
  return sectionsOf(card) < least ? ['incomplete'] : [];
}

function insteadOf(text: string): CardFault[] {
  if (isRefusal(text)) return ['refused'];
  const odd = oddIn(text);
  if (odd.length === 0 && isCall(text)) return ['toolCall'];
  return odd.length > 0 ? odd : ['noHeadings'];
}
