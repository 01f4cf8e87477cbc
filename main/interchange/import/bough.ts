// Bough's own JSON Lines and JSON (docs/formats.md): the same tree comes back, with what agents exchanged with their models (I2).
import { exportVersion } from '../export/jsonl';
import type { Found, ImportContext, LineFormat } from '../format';
import { count } from '../importedTree';
import type { OwnLine } from '../ownLine';
import { conversationOf, headerOf, toOwnLine } from '../toOwnLine';
import { at, textAt, wordsAt } from '../values';

/** `claims` also takes a file whose first line is damaged. */
export const bough: LineFormat = {
  id: 'bough',
  kind: 'lines',
  claims: ([first, second]) => headerOf(first) !== undefined || (first === undefined && isConversation(second)),
  start: (context) => {
    const reader = new OwnReader(context);
    return { line: (value) => reader.line(value), end: () => reader.end() };
  },
};

const isConversation = (value: unknown): boolean =>
  textAt(value, 'type') === 'conversation' && wordsAt(at(value, 'conversation'), 'id') !== undefined;

/** Names of unknown lines that are told apart. */
const mostNames = 40;

class OwnReader {
  readonly #context: ImportContext;
  #scope: 'path' | 'subtree' | 'tree' = 'tree';
  #refused = false;
  #isOpen = false;
  #conversation: ReturnType<typeof conversationOf> = conversationOf({});
  /** What came before the first message: a conversation without one is none. */
  #before: OwnLine[] | null = [];
  #leftOut = new Map<string, number>();

  constructor(context: ImportContext) {
    this.#context = context;
  }

  line(value: unknown): Found[] {
    const header = headerOf(value);
    if (header) return this.#header(header);
    if (this.#refused) return [];
    this.#isOpen = true;
    const type = textAt(value, 'type');
    if (type === 'conversation') this.#conversation = conversationOf(at(value, 'conversation'));
    if (type === 'end') return this.#finish();
    if (type !== 'conversation') return this.#fact(value, type);
    return [];
  }

  /** What still is open lacks its end. */
  end(): Found[] {
    return this.#isOpen ? [...this.#finish(), { problem: 'cut' }] : [];
  }

  #header({ version, scope }: NonNullable<ReturnType<typeof headerOf>>): Found[] {
    const before = this.end();
    this.#scope = scope;
    this.#refused = typeof version !== 'number' || version > exportVersion || version < 1;
    this.#isOpen = !this.#refused;
    if (!this.#refused) return before;
    return [...before, { problem: typeof version === 'number' && version > exportVersion ? 'newer' : 'notRecognized' }];
  }

  #fact(value: unknown, type: string | undefined): Found[] {
    const line = toOwnLine(value);
    if (line === null) return [];
    if (line === undefined) {
      const name = type?.slice(0, 40) ?? 'unreadable';
      count(this.#leftOut, this.#leftOut.has(name) || this.#leftOut.size < mostNames ? name : 'line');
      return [];
    }
    if (this.#before === null) return [{ own: line }];
    if (line.type !== 'message') {
      // A blob before the first message belongs to none.
      if (line.type !== 'blob') this.#before.push(line);
      return [];
    }
    const { sourceId, conversation } = this.#conversation;
    const id = sourceId ?? textAt(at(value, 'message'), 'conversationId')?.slice(0, 200) ?? this.#context.fileName;
    const begin: OwnLine = { type: 'begin', sourceId: id, scope: this.#scope, conversation };
    const found = [begin, ...this.#before, line].map((own): Found => ({ own }));
    this.#before = null;
    return found;
  }

  #finish(): Found[] {
    const hasMessages = this.#before === null;
    const leftOut = [...this.#leftOut];
    const { title } = this.#conversation.conversation;
    this.#isOpen = false;
    this.#before = [];
    this.#leftOut = new Map();
    this.#conversation = conversationOf({});
    return [hasMessages ? { own: { type: 'end', leftOut } } : { skipped: { title: title || null, reason: 'noMessages' } }];
  }
}
