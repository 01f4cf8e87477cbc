// Open WebUI: a list of chats, each with a map of messages; reasoning and tool calls stand in the text as <details>, newer ones in `output` too.
import type { Found, ImportContext, ValueFormat } from '../format';
import type { SourceNode, SourcePart } from '../importedTree';
import { at, idAt, isRecord, isTrue, jsonOf, listAt, recordAt, textAt, timeAt, toJsonArguments, wordsAt } from '../values';
import { withoutDetails } from '../withoutDetails';

export const openwebui: ValueFormat = {
  id: 'openwebui',
  kind: 'values',
  claims(value) {
    const chat = recordAt(value, 'chat') ?? value;
    if (recordAt(recordAt(chat, 'history'), 'messages') !== undefined) return true;
    return Array.isArray(at(chat, 'messages')) && (Array.isArray(at(chat, 'models')) || recordAt(value, 'chat') !== undefined);
  },
  read(value, context) {
    if (!isRecord(value)) return [{ skipped: { title: null, reason: 'unreadable' } }];
    const chat = recordAt(value, 'chat') ?? value;
    const title = textAt(value, 'title') ?? textAt(chat, 'title') ?? null;
    const history = recordAt(chat, 'history');
    const mapped = Object.entries(recordAt(history, 'messages') ?? {});
    const nodes = mapped.length > 0 ? treeNodes(mapped, context) : lineNodes(listAt(chat, 'messages'), context);
    if (nodes.length === 0) return [{ skipped: { title, reason: 'noMessages' } }];
    const pointer = mapped.length > 0 ? (idAt(history, 'currentId') ?? null) : (nodes.at(-1)?.id ?? null);
    return [conversationOf(value, chat, { title, nodes, pointer, isFlat: mapped.length === 0 })];
  },
};

type Read = { title: string | null; nodes: SourceNode[]; pointer: string | null; isFlat: boolean };

function conversationOf(value: unknown, chat: unknown, { title, nodes, pointer, isFlat }: Read): Found {
  const system = wordsAt(recordAt(chat, 'params'), 'system') ?? wordsAt(chat, 'system');
  return {
    conversation: {
      id: idAt(value, 'id') ?? idAt(chat, 'id') ?? null,
      title,
      createdAt: timeAt(value, 'created_at') ?? timeAt(chat, 'timestamp'),
      updatedAt: timeAt(value, 'updated_at'),
      pinned: isTrue(value, 'pinned'),
      archived: isTrue(value, 'archived'),
      tree: { nodes, pointer, fallback: 'leaf', order: isFlat ? 'file' : 'time' },
      ...(system === undefined ? {} : { leftOut: new Map([['system', 1]]) }),
    },
  };
}

function treeNodes(mapped: readonly [string, unknown][], context: ImportContext): SourceNode[] {
  return mapped.map(([key, message]) => {
    const id = idAt(message, 'id') ?? key;
    const node = toNode(message, id, idAt(message, 'parentId') ?? null, context);
    return id === key ? node : { ...node, alias: key };
  });
}

function lineNodes(messages: readonly unknown[], context: ImportContext): SourceNode[] {
  let previous: string | null = null;
  return messages.map((message, index) => {
    const node = toNode(message, idAt(message, 'id') ?? `message-${index}`, previous, context);
    previous = node.id;
    return node;
  });
}

function toNode(message: unknown, id: string, parentId: string | null, context: ImportContext): SourceNode {
  const author = textAt(message, 'role');
  const role = author === 'user' ? 'user' : 'assistant';
  const base = { id, parentId, time: timeAt(message, 'timestamp') ?? null, role } as const;
  if (author === 'system') return { ...base, kind: 'hidden', what: 'system', parts: [] };
  const parts = partsOf(message, context);
  if (author === 'tool') return { ...base, kind: 'foldUp', what: 'tool', parts: [toolResult(message, parts)] };
  const error = errorText(at(message, 'error'));
  if (parts.length === 0 && error === undefined) return { ...base, kind: 'hidden', what: 'empty', parts };
  const model = role === 'assistant' ? (wordsAt(message, 'model') ?? wordsAt(message, 'modelName')) : undefined;
  return {
    ...base,
    kind: 'message',
    parts,
    ...(model === undefined ? {} : { model }),
    ...(at(message, 'done') === false || error !== undefined ? { status: 'interrupted' as const } : {}),
    ...(error === undefined ? {} : { failure: { code: 'serverError' as const, message: error, retryable: false } }),
  };
}

function toolResult(message: unknown, parts: readonly SourcePart[]): SourcePart {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  return { type: 'toolResult', callId: idAt(message, 'tool_call_id'), name: wordsAt(message, 'name'), text };
}

function errorText(error: unknown): string | undefined {
  if (error === undefined || error === null || error === false) return undefined;
  if (typeof error === 'string') return error;
  return wordsAt(error, 'content') ?? wordsAt(error, 'message') ?? wordsAt(error, 'detail') ?? jsonOf(error);
}

function partsOf(message: unknown, context: ImportContext): SourcePart[] {
  const content = at(message, 'content');
  const { text, details } = withoutDetails(typeof content === 'string' ? content : '');
  const output = listAt(message, 'output').flatMap(outputPart);
  const parts = output.filter(({ type }) => type !== 'text');
  // Where the same stands in `output`, the text's own copy says less.
  if (output.length === 0) for (const detail of details) parts.push({ type: 'reasoning', text: detail.body, source: detail.type });
  if (text.trim() !== '') parts.push({ type: 'text', text });
  else parts.push(...output.filter(({ type }) => type === 'text'));
  if (Array.isArray(content)) parts.push(...content.flatMap((block) => blockPart(block)));
  return [...parts, ...listAt(message, 'files').map((file) => attachment(file, context))];
}

function blockPart(block: unknown): SourcePart[] {
  const type = textAt(block, 'type');
  if (type === 'text') return textPart(textAt(block, 'text'));
  const url = textAt(recordAt(block, 'image_url'), 'url');
  if (url !== undefined) return [dataAttachment('image', url, block)];
  return [{ type: 'raw', source: `openwebui/${type ?? 'block'}`, json: jsonOf(block) }];
}

const textPart = (text: string | undefined): SourcePart[] => (text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }]);
const joined = (item: unknown, key: string): string =>
  textAt(item, key) ??
  listAt(item, key)
    .flatMap((one) => textAt(one, 'text') ?? [])
    .join('\n');

function outputPart(item: unknown): SourcePart[] {
  const type = textAt(item, 'type');
  const callId = idAt(item, 'call_id') ?? idAt(item, 'id') ?? 'call';
  switch (type) {
    case 'message':
      return textPart(joined(item, 'content'));
    case 'reasoning': {
      const text = joined(item, 'content') || joined(item, 'summary');
      return text.trim() === '' ? [] : [{ type: 'reasoning', text, source: 'reasoning' }];
    }
    case 'function_call':
      return [{ type: 'toolCall', callId, name: wordsAt(item, 'name') ?? 'tool', arguments: toJsonArguments(at(item, 'arguments')) }];
    case 'function_call_output':
      return [{ type: 'toolResult', callId, text: joined(item, 'output') }];
    default:
      return [{ type: 'raw', source: `openwebui/${type ?? 'output'}`, json: jsonOf(item) }];
  }
}

function attachment(file: unknown, context: ImportContext): SourcePart {
  const inner = recordAt(file, 'file');
  const name = wordsAt(file, 'name') ?? wordsAt(inner, 'filename') ?? textAt(file, 'type') ?? 'file';
  const url = wordsAt(file, 'url');
  if (url?.startsWith('data:') === true) return dataAttachment(name, url, file);
  const id = idAt(file, 'id') ?? idAt(inner, 'id');
  const found = (id === undefined ? undefined : context.findFile(id)) ?? context.findFile(name);
  const text = wordsAt(recordAt(inner, 'data'), 'content') ?? wordsAt(recordAt(file, 'data'), 'content');
  const json = jsonOf({ ...(isRecord(file) ? file : {}), ...(text === undefined ? {} : { file: undefined, data: undefined }) });
  if (found !== undefined) return { type: 'attachment', name, bytes: { from: 'file', file: found }, json };
  return { type: 'attachment', name, bytes: text === undefined ? { from: 'nowhere' } : { from: 'text', text }, json };
}

function dataAttachment(name: string, url: string, json: unknown): SourcePart {
  const match = /^data:([\w.+/-]*)[^,]*;base64,/.exec(url.slice(0, 200));
  if (match === null) return { type: 'attachment', name, bytes: { from: 'nowhere' }, json: jsonOf(json) };
  const mime = match[1] === '' ? undefined : match[1];
  const bytes = { from: 'base64', data: url.slice(match[0].length) } as const;
  return { type: 'attachment', name, ...(mime === undefined ? {} : { mime }), bytes, json: jsonOf({ name }) };
}
