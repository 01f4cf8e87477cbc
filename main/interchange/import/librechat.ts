// LibreChat: one conversation a file, its messages nested below each other or in a list; no field says which branch was shown.
import type { ImportContext, ValueFormat } from '../format';
import type { SourceNode, SourcePart } from '../importedTree';
import { at, has, idAt, isTrue, jsonOf, listAt, recordAt, textAt, timeAt, toJsonArguments, wordsAt } from '../values';

const rootParent = '00000000-0000-0000-0000-000000000000';

export const librechat: ValueFormat = {
  id: 'librechat',
  kind: 'values',
  claims: (value) =>
    (Array.isArray(at(value, 'messages')) || Array.isArray(at(value, 'messagesTree'))) &&
    // One that was exported before it had an id is known by its messages.
    (idAt(value, 'conversationId') !== undefined ||
      (has(value, 'conversationId') &&
        [...listAt(value, 'messagesTree'), ...listAt(value, 'messages')].some((one) => has(one, 'messageId')))),
  read(value, context) {
    const title = textAt(value, 'title') ?? null;
    const listed = flatten([...listAt(value, 'messagesTree'), ...listAt(value, 'messages')]);
    if (listed.length === 0) return [{ skipped: { title, reason: 'noMessages' } }];
    const isFlat = !listed.some(({ message, under }) => under !== null || has(message, 'parentMessageId'));
    const ids = new Set(listed.map(({ message }) => idAt(message, 'messageId')));
    let previous: string | null = null;
    const nodes = listed.map(({ message, under }, index) => {
      const node = toNode(message, `message-${index}`, context);
      if (isFlat) node.parentId = previous;
      else node.parentId ??= under;
      if (node.parentId === rootParent && !ids.has(rootParent)) node.parentId = null;
      previous = node.id;
      return node;
    });
    return [
      {
        conversation: {
          id: idAt(value, 'conversationId') ?? null,
          title,
          createdAt: timeAt(value, 'createdAt'),
          updatedAt: timeAt(value, 'updatedAt'),
          tree: { nodes, pointer: null, fallback: 'sibling', order: isFlat ? 'file' : 'time' },
          ...(wordsAt(recordAt(value, 'options'), 'promptPrefix') === undefined ? {} : { leftOut: new Map([['system', 1]]) }),
        },
      },
    ];
  },
};

type Listed = { message: unknown; under: string | null };

/** Messages in the order of the file; as deep as the file goes, so without recursion. */
function flatten(roots: readonly unknown[]): Listed[] {
  const listed: Listed[] = [];
  const waiting: Listed[] = [...roots].reverse().map((message) => ({ message, under: null }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    listed.push(next);
    const under = idAt(next.message, 'messageId') ?? `message-${listed.length - 1}`;
    for (const child of listAt(next.message, 'children').reverse()) waiting.push({ message: child, under });
  }
  return listed;
}

function toNode(message: unknown, otherId: string, context: ImportContext): SourceNode {
  const isUser = isTrue(message, 'isCreatedByUser') || textAt(message, 'sender')?.toLowerCase() === 'user';
  const role = isUser ? 'user' : 'assistant';
  const parts = partsOf(message, context);
  const model = role === 'assistant' ? (wordsAt(message, 'model') ?? wordsAt(message, 'sender')) : undefined;
  const base = {
    id: idAt(message, 'messageId') ?? otherId,
    parentId: idAt(message, 'parentMessageId') ?? null,
    time: timeAt(message, 'createdAt') ?? null,
    role,
  } as const;
  if (parts.length === 0) return { ...base, kind: 'hidden', what: 'empty', parts };
  return {
    ...base,
    kind: 'message',
    parts,
    ...(model === undefined ? {} : { model }),
    ...(isTrue(message, 'unfinished') || isTrue(message, 'error') ? { status: 'interrupted' as const } : {}),
    ...(textAt(message, 'finish_reason') === 'length' ? { finish: 'length' as const } : {}),
  };
}

function partsOf(message: unknown, context: ImportContext): SourcePart[] {
  const parts = listAt(message, 'content').flatMap((block) => blockParts(block, context));
  const text = textAt(message, 'text') ?? '';
  if (text.trim() !== '' && !parts.some(({ type }) => type === 'text')) parts.push({ type: 'text', text });
  for (const file of [...listAt(message, 'files'), ...listAt(message, 'attachments')]) parts.push(attachment(file, context));
  return parts;
}

function attachment(file: unknown, context: ImportContext): SourcePart {
  const id = idAt(file, 'file_id');
  const name = wordsAt(file, 'filename') ?? wordsAt(file, 'filepath')?.split('/').at(-1) ?? id ?? 'file';
  const found = (id === undefined ? undefined : context.findFile(id)) ?? context.findFile(name);
  const mime = wordsAt(file, 'type');
  const bytes = found === undefined ? ({ from: 'nowhere' } as const) : ({ from: 'file', file: found } as const);
  return { type: 'attachment', name, ...(mime === undefined ? {} : { mime }), bytes, json: jsonOf(file) };
}

/** Text stands in the field itself or in `value` below it. */
const said = (block: unknown, key: string): string => textAt(block, key) ?? textAt(recordAt(block, key), 'value') ?? '';

function blockParts(block: unknown, context: ImportContext): SourcePart[] {
  const type = textAt(block, 'type');
  switch (type) {
    case 'text': {
      const text = said(block, 'text');
      return text.trim() === '' ? [] : [{ type: 'text', text }];
    }
    case 'think':
    case 'reasoning': {
      const text = said(block, type === 'think' ? 'think' : 'text');
      return text.trim() === '' ? [] : [{ type: 'reasoning', text, source: type }];
    }
    case 'error': {
      const text = said(block, 'error') || said(block, 'text');
      return text.trim() === '' ? [] : [{ type: 'text', text }];
    }
    case 'tool_call':
      return callParts(at(block, 'tool_call') ?? block);
    case 'image_file':
    case 'file':
      return [attachment(at(block, type) ?? block, context)];
    default:
      return [{ type: 'raw', source: `librechat/${type ?? 'block'}`, json: jsonOf(block) }];
  }
}

function callParts(call: unknown): SourcePart[] {
  const inner = recordAt(call, 'function');
  const callId = idAt(call, 'id') ?? 'tool_call';
  const name = wordsAt(call, 'name') ?? wordsAt(inner, 'name') ?? 'tool';
  const args = toJsonArguments(at(call, 'args') ?? at(inner, 'arguments'));
  const output = textAt(call, 'output') ?? textAt(inner, 'output');
  return [
    { type: 'toolCall', callId, name, arguments: args },
    ...(output === undefined ? [] : [{ type: 'toolResult' as const, callId, name, text: output }]),
  ];
}
