// The web window of llama.cpp: lines of sessions, each followed by its messages; older exports are one JSON of the same records.
import { parseJson } from '../../lib/parseJson';
import type { Found, LineFormat, ValueFormat } from '../format';
import { count, type SourceNode, type SourcePart } from '../importedTree';
import { at, has, idAt, isRecord, jsonOf, listAt, recordAt, textAt, timeAt, toJsonArguments, wordsAt } from '../values';

export const llamacpp: LineFormat = {
  id: 'llamacpp',
  kind: 'lines',
  claims: (first) =>
    first.some(
      (line) =>
        (textAt(line, 'type') === 'session' && (has(line, 'harness') || has(line, 'currNode'))) || has(recordAt(line, 'message'), 'convId'),
    ),
  start() {
    const sessions = new Map<string, Session>();
    let last: Session | null = null;
    return {
      line(value) {
        if (isRecord(value) && textAt(value, 'type') === 'session') {
          last = { header: value, nodes: [], unreadable: 0 };
          sessions.set(idAt(value, 'id') ?? `session-${sessions.size}`, last);
          return [];
        }
        const message = recordAt(value, 'message');
        const owner = sessions.get(idAt(message, 'convId') ?? '') ?? last ?? { header: {}, nodes: [], unreadable: 0 };
        if (last === null) sessions.set(idAt(message, 'convId') ?? 'session', owner);
        last ??= owner;
        if (message === undefined) owner.unreadable += 1;
        else owner.nodes.push(toNode(message, `message-${owner.nodes.length}`));
        return [];
      },
      end: () => [...sessions.values()].map(finished),
    };
  },
};

/** `{ conv, messages }`, alone or in a list. */
export const llamacppOld: ValueFormat = {
  id: 'llamacpp',
  kind: 'values',
  claims: (value) => recordAt(value, 'conv') !== undefined && Array.isArray(at(value, 'messages')),
  read(value) {
    const messages = listAt(value, 'messages');
    return [finished({ header: at(value, 'conv'), nodes: messages.map((one, index) => toNode(one, `message-${index}`)), unreadable: 0 })];
  },
};

type Session = { header: unknown; nodes: SourceNode[]; unreadable: number };

function finished({ header, nodes, unreadable }: Session): Found {
  const leftOut = new Map<string, number>();
  if (unreadable > 0) count(leftOut, 'unreadable', unreadable);
  return {
    conversation: {
      id: idAt(header, 'id') ?? null,
      title: textAt(header, 'name') ?? null,
      updatedAt: timeAt(header, 'lastModified'),
      tree: { nodes, pointer: idAt(header, 'currNode') ?? null, fallback: 'leaf', order: 'time' },
      leftOut,
    },
  };
}

function toNode(message: unknown, otherId: string): SourceNode {
  const author = textAt(message, 'role');
  const role = author === 'user' ? 'user' : 'assistant';
  const base = {
    id: idAt(message, 'id') ?? otherId,
    parentId: idAt(message, 'parent') ?? null,
    time: timeAt(message, 'timestamp') ?? null,
    role,
  } as const;
  if (textAt(message, 'type') === 'root') return { ...base, kind: 'hidden', what: 'root', parts: [] };
  if (author === 'system') return { ...base, kind: 'hidden', what: 'system', parts: [] };
  const text = textAt(message, 'content') ?? '';
  const extras = extrasOf(message);
  if (author === 'tool')
    return { ...base, kind: 'foldUp', what: 'tool', parts: [{ type: 'toolResult', callId: idAt(message, 'toolCallId'), text }, ...extras] };
  const parts: SourcePart[] = [];
  const reasoning = wordsAt(message, 'reasoningContent') ?? wordsAt(message, 'thinking') ?? '';
  if (reasoning.trim() !== '') parts.push({ type: 'reasoning', text: reasoning, source: 'reasoning_content' });
  if (text.trim() !== '') parts.push({ type: 'text', text });
  parts.push(...callsOf(message), ...extras);
  if (parts.length === 0) return { ...base, kind: 'hidden', what: 'empty', parts };
  const model = role === 'assistant' ? wordsAt(message, 'model') : undefined;
  return { ...base, kind: 'message', parts, ...(model === undefined ? {} : { model }) };
}

/** A list, or in older files the text of one. */
function callsOf(message: unknown): SourcePart[] {
  const written = wordsAt(message, 'toolCalls');
  const calls = written === undefined ? at(message, 'toolCalls') : parseJson(written);
  if (calls === undefined && written !== undefined) return [{ type: 'raw', source: 'llamacpp/toolCalls', json: jsonOf(written) }];
  return listAt({ calls }, 'calls').map((call, index) => {
    const inner = recordAt(call, 'function');
    return {
      type: 'toolCall',
      callId: idAt(call, 'id') ?? `call-${index}`,
      name: wordsAt(inner, 'name') ?? 'tool',
      arguments: toJsonArguments(at(inner, 'arguments')),
    };
  });
}

/** Older files kept attachments under another name. */
function extrasOf(message: unknown): SourcePart[] {
  return [...listAt(message, 'extra'), ...listAt(message, 'extras')].map((extra): SourcePart => {
    const name = wordsAt(extra, 'name') ?? 'file';
    const text = textAt(extra, 'content');
    const data = wordsAt(extra, 'base64Url') ?? wordsAt(extra, 'base64Data') ?? wordsAt(extra, 'base64');
    const mime = wordsAt(extra, 'mimeType');
    const facts = {
      type: 'attachment',
      name,
      ...(mime === undefined ? {} : { mime }),
      json: jsonOf({ name, type: at(extra, 'type') }),
    } as const;
    if (data !== undefined) return { ...facts, bytes: { from: 'base64', data: data.replace(/^data:[^,]{0,200},/, '') } };
    if (text !== undefined) return { ...facts, bytes: { from: 'text', text } };
    return { type: 'raw', source: `llamacpp/${textAt(extra, 'type') ?? 'extra'}`, json: jsonOf(extra) };
  });
}
