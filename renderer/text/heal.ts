// Closes what is half open at the end of a text that is still being written, so that "**bol" is bold and no mark flickers.
import remend from 'remend';

const options = {
  linkMode: 'text-only',
  // A formula is drawn when it is whole; half of one is only an error.
  katex: false,
  inlineKatex: false,
  // Both would change what the finished text says.
  comparisonOperators: false,
  singleTilde: false,
} as const;

export function heal(tail: string): string {
  return remend(tail, options);
}
