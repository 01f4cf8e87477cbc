// How long a card is while it is typed: bytes as they are, tokens roughly; main counts them when it is saved. Pure.
const encoder = new TextEncoder();

export function sizeOfCard(text: string): { bytes: number; tokens: number } {
  let wide = 0;
  for (const character of text) if ((character.codePointAt(0) ?? 0) > 0x2e7f) wide++;
  return { bytes: encoder.encode(text).length, tokens: Math.ceil((text.length - wide) / 4 + wide * 0.9) };
}
