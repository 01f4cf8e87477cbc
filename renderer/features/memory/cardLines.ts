// A card in lines for the panel: headings, list items with what belongs to them, paragraphs and code as a whole. Pure.

export type CardLine = { kind: 'heading'; level: 2 | 3; text: string } | { kind: 'item'; text: string };

const heading = /^(#{1,6})\s+(.*)$/;
const bullet = /^(?:[-*+]|\d{1,3}[.)])\s/;
const fence = /^\s{0,3}(`{3,}|~{3,})/;

function headingOf(line: string): CardLine | null {
  const found = heading.exec(line);
  return found && { kind: 'heading', level: (found[1] ?? '').length <= 2 ? 2 : 3, text: found[2] ?? '' };
}

export function cardLines(card: string): CardLine[] {
  const lines: CardLine[] = [];
  let open: string[] | null = null;
  let inFence: string | null = null;
  const close = () => {
    if (open?.some((line) => line.trim() !== '')) lines.push({ kind: 'item', text: open.join('\n').trimEnd() });
    open = null;
  };
  for (const line of card.replaceAll(/\r\n?/g, '\n').split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (inFence !== null) {
      open = [...(open ?? []), line];
      if (mark?.startsWith(inFence)) inFence = null;
      continue;
    }
    const found = headingOf(line);
    const isBlank = line.trim() === '';
    if (found || isBlank || bullet.test(line)) close();
    if (found) lines.push(found);
    if (found || isBlank) continue;
    open = [...(open ?? []), line];
    if (mark) inFence = mark;
  }
  close();
  return lines;
}
