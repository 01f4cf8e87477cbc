// The state card (M1): its sections in their fixed order, how it is written, and how it is read, also where a model kept to that only roughly. Pure.
import { type Heading, headingOf, isBoldTitle, titleOf } from './headings';

type Section = { key: keyof Card; heading: string; others: readonly string[]; isNamed: boolean };

const directivesHeading = 'User directives';

/** `others`: what models call it instead. `isNamed`: made of parts under a heading of their own. */
export const cardSections: readonly Section[] = [
  { key: 'task', heading: 'Task', others: ['goal'], isNamed: false },
  { key: 'directives', heading: directivesHeading, others: ['directives', 'user instructions'], isNamed: false },
  { key: 'decisions', heading: 'Decisions', others: ['key decisions'], isNamed: false },
  { key: 'completed', heading: 'Completed', others: ['completed work', 'completed tasks', 'done'], isNamed: true },
  { key: 'current', heading: 'Current work', others: ['current', 'current task', 'in progress'], isNamed: true },
  { key: 'files', heading: 'Files and artifacts', others: ['files & artifacts', 'files', 'artifacts'], isNamed: false },
  { key: 'verified', heading: 'Verified', others: ['verification'], isNamed: false },
  { key: 'questions', heading: 'Open questions', others: ['questions'], isNamed: false },
  { key: 'next', heading: 'Next step', others: ['next steps', 'next'], isNamed: false },
];

export type NamedPart = { name: string; text: string };
/** Markdown of each section, without its heading; empty where there is nothing to say. */
export type Card = {
  task: string;
  directives: string;
  decisions: string;
  /** What stands before the first name has none, and comes first. */
  completed: NamedPart[];
  current: NamedPart[];
  files: string;
  verified: string;
  questions: string;
  next: string;
};

export function emptyCard(): Card {
  return { task: '', directives: '', decisions: '', completed: [], current: [], files: '', verified: '', questions: '', next: '' };
}

/** Always in the fixed order; empty sections are left out. */
export function renderCard(card: Card): string {
  return cardSections
    .map(({ key, heading }) => {
      const content = card[key];
      const body = typeof content === 'string' ? content : content.map(renderPart).join('\n\n');
      return body.trim() === '' ? '' : `## ${heading}\n${body}`;
    })
    .filter((section) => section !== '')
    .join('\n\n');
}

function renderPart({ name, text }: NamedPart): string {
  return [name === '' ? '' : `### ${name}`, text].filter((line) => line !== '').join('\n');
}

const byTitle = new Map(
  cardSections.flatMap((section) => [section.heading.toLowerCase(), ...section.others].map((title) => [title, section])),
);

/** Never fails: headings of any level, case and order, a fence around the whole and words before the first heading are no obstacle. */
export function parseCard(text: string): Card {
  return read(text).card;
}

/** `before`: what belongs to no section. */
function read(text: string): { card: Card; before: string[] } {
  const { before, lines } = linesOf(text);
  const card = emptyCard();
  let section: Section | undefined;
  let body: string[] = [];
  const close = () => {
    if (section) addTo(card, section, body);
    else before.push(...body);
    body = [];
  };
  for (const line of lines) {
    const next = line.level === 0 ? byTitle.get(line.title) : undefined;
    if (next) {
      close();
      section = next;
    } else if (line.level === 0) body.push(`**${line.text}**`);
    else if (line.level !== undefined) body.push(`${'#'.repeat(Math.min(6, 2 + line.level))} ${line.text}`);
    else body.push(line.text);
  }
  close();
  return { card, before };
}

/**
 * A card as it is kept, which a person may have written by hand: what stands before the first heading, or without any, is theirs and becomes a
 * directive, so that nothing of it is lost. Null for a blank text.
 */
export function cardOfText(text: string): Card | null {
  const { card, before } = read(text);
  const { directives } = parseCard([`## ${directivesHeading}`, ...before].join('\n'));
  if (directives !== '') card.directives = joined(directives, [card.directives]);
  return renderCard(card) === '' ? null : card;
}

/** `level` counts from that of the sections; undefined for a line that is no heading. */
type Line = { text: string; title: string; level: number | undefined };

const lineEnds = /\r\n?|[\u2028\u2029]/g;

/** The line of the first heading of a section, -1 where there is none. */
function startOf(raw: readonly string[]): number {
  const at = raw.findIndex((line) => byTitle.has(headingOf(line)?.title ?? ''));
  return at === -1 ? raw.findIndex((line) => isBoldTitle(line) && byTitle.has(titleOf(line))) : at;
}

/** From the first heading of a section on. */
function linesOf(text: string): { before: string[]; lines: Line[] } {
  const raw = text.replaceAll(lineEnds, '\n').split('\n');
  const first = startOf(raw);
  if (first === -1) return { before: raw, lines: [] };
  const isBold = headingOf(raw[first] ?? '') === undefined;
  const { lines, isCode } = unfenced(raw, first);
  const headings = lines.map((line, at) => (isCode.has(at) ? undefined : headingOf(line)));
  const known = headings.filter((heading): heading is Heading => heading !== undefined && byTitle.has(heading.title));
  const top = Math.min(...known.map(({ level }) => level));
  const told = lines.map((line, at): Line => {
    const heading = headings[at];
    if (isBold && isBoldTitle(line) && byTitle.has(titleOf(line))) return { text: line, title: titleOf(line), level: 0 };
    if (!heading) return { text: line, title: '', level: undefined };
    return { text: heading.text, title: heading.title, level: isBold ? 1 : Math.max(0, heading.level - top) };
  });
  return { before: raw.slice(0, first), lines: told };
}

const fence = /^\s{0,3}(`{3,}|~{3,})\s*(\S*)\s*$/;

/** The lines from `first` on, without a fence that began before it and one that never ends; `isCode`: those inside of fences. */
function unfenced(raw: readonly string[], first: number): { lines: string[]; isCode: Set<number> } {
  let lines = raw.slice(first);
  const isWrapped = raw.slice(0, first).filter((line) => fence.test(line)).length % 2 === 1;
  const isBare = (line: string) => fence.exec(line)?.[2] === '';
  const end = isWrapped ? lines.findLastIndex(isBare) : -1;
  if (end !== -1) lines = lines.slice(0, end);
  const isCode = new Set<number>();
  const open: { at: number; mark: string }[] = [];
  for (const [at, line] of lines.entries()) {
    const mark = fence.exec(line)?.[1];
    const started = open[0];
    if (!started && mark) open.push({ at, mark });
    else if (started && mark?.startsWith(started.mark) && isBare(line)) {
      for (let inside = started.at; inside <= at; inside++) isCode.add(inside);
      open.pop();
    }
  }
  const [unclosed] = open;
  if (!unclosed) return { lines, isCode };
  // All code before it has been closed, so the places of that stay.
  return { lines: lines.filter((line, at) => at < unclosed.at || !fence.test(line)), isCode };
}

function addTo(card: Card, { key, isNamed }: Section, body: readonly string[]): void {
  const content = card[key];
  if (!isNamed || typeof content === 'string') {
    Object.assign(card, { [key]: joined(typeof content === 'string' ? content : '', body) });
    return;
  }
  const parts: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  for (const line of body) {
    const name = /^### (.+)$/.exec(line)?.[1];
    if (name !== undefined) parts.push({ name, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  for (const { name, lines } of parts) {
    const text = joined('', lines);
    if (name !== '') content.push({ name, text });
    else if (text !== '') addUnnamed(content, text);
  }
}

function addUnnamed(content: NamedPart[], text: string): void {
  const [first] = content;
  if (first?.name === '') first.text = `${first.text}\n\n${text}`;
  else content.unshift({ name: '', text });
}

function joined(before: string, lines: readonly string[]): string {
  const text = lines
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
  return before === '' || text === '' ? before + text : `${before}\n\n${text}`;
}
