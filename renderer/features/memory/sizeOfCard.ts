// How long a card is while it is typed, by main's own estimate: what the editor shows is what main counts when it is saved. Pure.
import { estimateTokens } from '../../../shared/text/estimateTokens';

const encoder = new TextEncoder();

export function sizeOfCard(text: string): { bytes: number; tokens: number } {
  return { bytes: encoder.encode(text).length, tokens: estimateTokens(text) };
}
