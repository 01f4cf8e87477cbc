// Chatbox: a backup is one object with a member for each session. A session's branches are tails stored by the message they fork from.
import type { Found, ImportContext, MemberFormat } from '../format';
import type { SourceNode, SourcePart } from '../importedTree';
import { at, idAt, isRecord, isTrue, jsonOf, listAt, numberAt, recordAt, textAt, timeAt, toJsonArguments, wordsAt } from '../values';

const prefix = 'session:';
const listKeys = new Set(['chat-sessions-list', 'chat-sessions']);

export const chatbox: MemberFormat = {
  id: 'chatbox',
  kind: 'members',
  claims: (key, value) => (key.startsWith(prefix) && isRecord(value)) || (listKeys.has(key) && Array.isArray(value)),
  start(context) {
    const listed = new Map<string, string | null>();
    const read = new Set<string>();
    return {
      member(key, value) {
        if (listKeys.has(key)) return listAt({ value }, 'value').flatMap((entry) => listEntry(entry, { listed, read, context }));
        if (!key.startsWith(prefix)) return [];
        read.add(key.slice(prefix.length));
        return session(value, key.slice(prefix.length), context);
      },
      end: () => [...listed].flatMap(([id, title]): Found[] => (read.has(id) ? [] : [{ skipped: { title, reason: 'listedOnly' } }])),
    };
  },
};

type Seen = { listed: Map<string, string | null>; read: Set<string>; context: ImportContext };

/** Very old backups have whole sessions in their list. */
function listEntry(entry: unknown, { listed, read, context }: Seen): Found[] {
  const id = idAt(entry, 'id');
  if (id === undefined) return [];
  listed.set(id, textAt(entry, 'name') ?? null);
  if (!Array.isArray(at(entry, 'messages'))) return [];
  read.add(id);
  return session(entry, id, context);
}

function session(value: unknown, key: string, context: ImportContext): Found[] {
  const id = idAt(value, 'id') ?? key;
  const title = textAt(value, 'name') ?? null;
  const threads = listAt(value, 'threads');
  const trees = growLists(value, threads, context);
  const conversation = (
    index: number,
    about: { id: string; title: string | null; createdAt?: number | undefined },
    live: unknown[],
  ): Found => ({
    conversation: {
      ...about,
      pinned: isTrue(value, 'starred'),
      tree: { nodes: trees[index] ?? [], pointer: idAt(live.at(-1), 'id') ?? null, fallback: 'leaf', order: 'time' },
    },
  });
  return [
    conversation(0, { id, title }, listAt(value, 'messages')),
    ...threads.map((thread, index) => {
      const about = {
        id: `${id}/${idAt(thread, 'id') ?? index}`,
        title: textAt(thread, 'name') ?? title,
        createdAt: timeAt(thread, 'createdAt'),
      };
      return conversation(index + 1, about, listAt(thread, 'messages'));
    }),
  ];
}

/** The live list first, then one tree a thread; stored tails go to the tree that holds the message they fork from. */
function growLists(value: unknown, threads: readonly unknown[], context: ImportContext): SourceNode[][] {
  const forks = new Map(Object.entries(recordAt(value, 'messageForksHash') ?? {}));
  const trees: SourceNode[][] = [];
  const addList = (tree: SourceNode[], messages: readonly unknown[], under: string | null) => {
    const waiting: { messages: readonly unknown[]; under: string | null }[] = [{ messages, under }];
    for (let list = waiting.shift(); list !== undefined; list = waiting.shift()) {
      let parentId = list.under;
      for (const message of list.messages) {
        const node = toNode(message, parentId, tree.length, context);
        tree.push(node);
        parentId = node.id;
        const fork = forks.get(node.id);
        forks.delete(node.id);
        for (const tail of tailsOf(fork)) waiting.push({ messages: tail, under: node.id });
      }
    }
  };
  for (const messages of [listAt(value, 'messages'), ...threads.map((thread) => listAt(thread, 'messages'))]) {
    const tree: SourceNode[] = [];
    trees.push(tree);
    addList(tree, messages, null);
  }
  // Tails of a message that is gone: an extra root, found again under the id of what is missing.
  for (const [forkId, fork] of forks) {
    if (!forks.delete(forkId)) continue;
    for (const tail of tailsOf(fork)) addList(trees[0] ?? [], tail, forkId);
  }
  return trees;
}

/** What is shown now is not stored among the tails: it is the rest of the list that holds the message. */
function tailsOf(fork: unknown): unknown[][] {
  if (fork === undefined) return [];
  const position = numberAt(fork, 'position');
  return listAt(fork, 'lists').flatMap((list, index) => (index === position ? [] : [listAt(list, 'messages')]));
}

function toNode(message: unknown, parentId: string | null, index: number, context: ImportContext): SourceNode {
  const author = textAt(message, 'role');
  const role = author === 'user' ? 'user' : 'assistant';
  const base = { id: idAt(message, 'id') ?? `message-${index}`, parentId, time: timeAt(message, 'timestamp') ?? null, role } as const;
  if (author === 'system') return { ...base, kind: 'hidden', what: 'system', parts: [] };
  if (isTrue(message, 'isSummary')) return { ...base, kind: 'hidden', what: 'summary', parts: [] };
  const parts = partsOf(message, context);
  if (author === 'tool') return { ...base, kind: 'foldUp', what: 'tool', parts };
  const error = wordsAt(message, 'error');
  if (parts.length === 0 && error === undefined) return { ...base, kind: 'hidden', what: 'empty', parts };
  const model = role === 'assistant' ? wordsAt(message, 'model') : undefined;
  return {
    ...base,
    kind: 'message',
    parts,
    ...(model === undefined ? {} : { model }),
    ...(isTrue(message, 'generating') || error !== undefined ? { status: 'interrupted' as const } : {}),
    ...(error === undefined ? {} : { failure: { code: 'serverError' as const, message: error, retryable: false } }),
    ...(textAt(message, 'finishReason') === 'length' ? { finish: 'length' as const } : {}),
  };
}

function partsOf(message: unknown, context: ImportContext): SourcePart[] {
  const parts = listAt(message, 'contentParts').flatMap((part) => contentPart(part, context));
  const reasoning = textAt(message, 'reasoningContent') ?? '';
  if (reasoning.trim() !== '' && !parts.some(({ type }) => type === 'reasoning'))
    parts.unshift({ type: 'reasoning', text: reasoning, source: 'reasoningContent' });
  const content = textAt(message, 'content') ?? '';
  if (content.trim() !== '' && !parts.some(({ type }) => type === 'text')) parts.push({ type: 'text', text: content });
  for (const file of [...listAt(message, 'pictures'), ...listAt(message, 'files')]) parts.push(stored(file, context));
  for (const link of listAt(message, 'links')) {
    const url = wordsAt(link, 'url');
    parts.push(url === undefined ? { type: 'raw', source: 'chatbox/link', json: jsonOf(link) } : { type: 'text', text: url });
  }
  return parts;
}

function contentPart(part: unknown, context: ImportContext): SourcePart[] {
  const type = textAt(part, 'type');
  const text = textAt(part, 'text') ?? '';
  switch (type) {
    case 'text':
    case 'info':
      return text.trim() === '' ? [] : [{ type: 'text', text }];
    case 'reasoning':
      return text.trim() === '' ? [] : [{ type: 'reasoning', text, source: 'reasoning' }];
    case 'image':
      return [stored(part, context)];
    case 'tool-call':
      return callParts(part);
    default:
      return [{ type: 'raw', source: `chatbox/${type ?? 'part'}`, json: jsonOf(part) }];
  }
}

function callParts(part: unknown): SourcePart[] {
  const callId = idAt(part, 'toolCallId') ?? 'tool-call';
  const name = wordsAt(part, 'toolName') ?? 'tool';
  const result = at(part, 'result');
  return [
    { type: 'toolCall', callId, name, arguments: toJsonArguments(at(part, 'args')) },
    ...(result === undefined || result === null
      ? []
      : [{ type: 'toolResult' as const, callId, name, text: toJsonArguments(result), isError: textAt(part, 'state') === 'error' }]),
  ];
}

/** The bytes are in a store of their own, which no backup holds. */
function stored(file: unknown, context: ImportContext): SourcePart {
  const key = idAt(file, 'storageKey') ?? idAt(file, 'url');
  const name = wordsAt(file, 'name') ?? key ?? 'picture';
  const found = context.findFile(name);
  const mime = wordsAt(file, 'fileType');
  const bytes = found === undefined ? ({ from: 'nowhere' } as const) : ({ from: 'file', file: found } as const);
  return { type: 'attachment', name, ...(mime === undefined ? {} : { mime }), bytes, json: jsonOf(file) };
}
