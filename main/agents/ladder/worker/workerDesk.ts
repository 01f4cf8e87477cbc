// What a worker has chosen so far: its card, the files to be read for the agent, the references (M5, M6). What is written last counts.
import type { MemoryBody } from '../../../../shared/model/memoryRecord';
import { estimateTokens } from '../../../../shared/text/estimateTokens';
import type { CardFault } from '../../../context/card/faults';
import type { Card } from '../../../context/card/sections';
import { validateCard } from '../../../context/card/validateCard';
import { autoReadFile } from '../../../context/wording';

type MemoryFile = MemoryBody['files'][number];
type Reference = MemoryBody['references'][number];

/** More than anybody would look at. */
const mostReferences = 10;
const mostMarks = 30;

export class WorkerDesk {
  readonly #files: MemoryFile[] = [];
  readonly #references = new Map<string, Reference>();
  readonly #cardTokens: number;
  readonly autoReadTokens: number;
  /** Null until one was good. */
  card: Card | null = null;
  #text = '';
  #marks = 0;
  /** Whether it said which files matter, also where none could be read. */
  hasChosen = false;

  constructor({ cardTokens, autoReadTokens }: { cardTokens: number; autoReadTokens: number }) {
    this.#cardTokens = cardTokens;
    this.autoReadTokens = autoReadTokens;
  }

  get files(): readonly MemoryFile[] {
    return this.#files;
  }

  get references(): Reference[] {
    return [...this.#references.values()];
  }

  /** Tokens of contents that there is room for. */
  get room(): number {
    return this.autoReadTokens - this.#files.reduce((sum, file) => sum + tokensOf(file), 0);
  }

  /** The faults of a card that is none; an earlier one stands then. `repeated`: it says nothing new. */
  write(text: string): { faults: CardFault[]; repeated: boolean } {
    const checked = validateCard(text, { cardTokens: this.#cardTokens });
    if (!checked.ok) return { faults: checked.reasons, repeated: false };
    const repeated = this.#text === checked.text;
    this.card = checked.card;
    this.#text = checked.text;
    return { faults: [], repeated };
  }

  /** `tooLarge`: it has no room, and is named instead. */
  mark(file: MemoryFile): { type: 'kept' | 'known' } | { type: 'tooLarge'; tokens: number; room: number } | { type: 'tooMany' } {
    this.hasChosen = true;
    if (++this.#marks > mostMarks) return { type: 'tooMany' };
    if (this.#files.some((one) => covers(one, file))) return { type: 'known' };
    const replaced = this.#files.filter((one) => covers(file, one));
    const tokens = tokensOf(file);
    const room = this.room + replaced.reduce((sum, one) => sum + tokensOf(one), 0);
    if (tokens > room) {
      if (!this.#files.some(({ path }) => path === file.path)) this.refer({ path: file.path, why: 'too large to be put here' });
      return { type: 'tooLarge', tokens, room };
    }
    for (const one of replaced) this.#files.splice(this.#files.indexOf(one), 1);
    this.#files.push(file);
    this.#references.delete(file.path);
    return { type: 'kept' };
  }

  /** False when there are too many. */
  refer({ path, why }: Reference): boolean {
    this.hasChosen = true;
    if (!this.#references.has(path) && this.#references.size >= mostReferences) return false;
    this.#references.set(path, { path, why });
    return true;
  }
}

/** Beyond this nothing has room, and counting would only take time. */
const mostCounted = 400_000;

function tokensOf({ path, text, from, to }: MemoryFile): number {
  if (text.length > mostCounted) return Math.ceil(text.length / 4);
  return estimateTokens(`${autoReadFile(path, from, to)}\n${text}`);
}

function covers(one: MemoryFile, other: MemoryFile): boolean {
  if (one.path !== other.path) return false;
  if (one.from === undefined) return true;
  return other.from !== undefined && one.from <= other.from && (one.to ?? 0) >= (other.to ?? 0);
}
