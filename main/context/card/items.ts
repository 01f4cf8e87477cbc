// The items of a card's section: list items with what belongs to them, quotes, paragraphs. What is left out of a card is left out by the item. Pure.

const bullet = /^ ?(?:[-*+]|\d{1,3}[.)])\s/;
const isQuote = (line: string) => line.startsWith('>');

export function itemsOf(text: string): string[] {
  const items: string[][] = [];
  let fence: string | undefined;
  let isOpen = false;
  for (const line of text.split('\n')) {
    const item = items.at(-1);
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const goesOn = item !== undefined && (fence !== undefined || (isOpen && belongs(line, item)) || /^\s{2,}\S/.test(line));
    if (line.trim() === '' && fence === undefined) {
      isOpen = false;
      continue;
    }
    if (goesOn) item.push(line);
    else items.push([line]);
    isOpen = true;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
  }
  return items.map((lines) => lines.join('\n'));
}

function belongs(line: string, item: readonly string[]): boolean {
  return !bullet.test(line) && isQuote(line) === isQuote(item[0] ?? '');
}

/** List items under each other, anything else apart. */
export function joinItems(items: readonly string[]): string {
  return items.reduce((text, item, at) => {
    const before = items[at - 1];
    if (before === undefined) return item;
    return `${text}${bullet.test(before) && bullet.test(item) ? '\n' : '\n\n'}${item}`;
  }, '');
}
