// Makes JSON of a text that ends in the middle: back to the last place where a value was whole, and everything that is open closed.

/** Null when not even one value of it is whole. */
export function closeCut(text: string): string | null {
  const whole = scan(text, text.length).lastWhole;
  if (whole <= 0) return null;
  const { open } = scan(text, whole);
  return text.slice(0, whole) + open.reverse().join('');
}

/** `lastWhole`: the end of the last value that is certainly whole. `open`: what closes the brackets that are open at `end`. */
function scan(text: string, end: number): { lastWhole: number; open: string[] } {
  const open: string[] = [];
  let lastWhole = 0;
  let inString = false;
  for (let at = 0; at < end; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === ',') lastWhole = at;
    else if (character === '}' || character === ']') {
      open.pop();
      lastWhole = at + 1;
    }
  }
  return { lastWhole, open };
}
