// Claude: a list of conversations with messages that name their parents; old ones are plain lists. No bytes but the text of pasted files.
import type { ImportContext, ValueFormat } from '../format';
import type { ImportedAttachment, SourceNode, SourcePart } from '../importedTree';
import { at, has, idAt, isTrue, jsonOf, listAt, textAt, timeAt, toJsonArguments, wordsAt } from '../values';

const rootParent = '00000000-0000-4000-8000-000000000000';

export const claude: ValueFormat = {
  id: 'claude',
  kind: 'values',
  claims: (value) => Array.isArray(at(value, 'chat_messages')),
  read(value, context) {
    const title = textAt(value, 'name') ?? null;
    const messages = listAt(value, 'chat_messages');
    if (messages.length === 0) return [{ skipped: { title, reason: 'noMessages' } }];
    // In the order of the list only when no message knows of parents: else branches would be mixed.
    const isFlat = !messages.some((message) => has(message, 'parent_message_uuid'));
    // Most exports do not say which: answers go by the program.
    const model = wordsAt(value, 'model') ?? 'Claude';
    const ids = new Set(messages.map((message) => idAt(message, 'uuid')));
    let previous: string | null = null;
    const nodes = messages.map((message, index) => {
      const node = toNode(message, index, { context, model, hasRoot: ids.has(rootParent) });
      if (isFlat) node.parentId = previous;
      previous = node.id;
      return node;
    });
    return [
      {
        conversation: {
          id: idAt(value, 'uuid') ?? null,
          title,
          createdAt: timeAt(value, 'created_at'),
          updatedAt: timeAt(value, 'updated_at'),
          pinned: isTrue(value, 'is_starred'),
          tree: { nodes, pointer: idAt(value, 'current_leaf_message_uuid') ?? null, fallback: 'leaf', order: isFlat ? 'file' : 'time' },
        },
      },
    ];
  },
};

type Surroundings = { context: ImportContext; model: string; hasRoot: boolean };

function toNode(message: unknown, index: number, { context, model, hasRoot }: Surroundings): SourceNode {
  const sender = textAt(message, 'sender');
  const parent = idAt(message, 'parent_message_uuid') ?? null;
  const role = sender === 'human' || sender === 'user' ? 'user' : 'assistant';
  const parts = partsOf(message, context);
  const stop = textAt(message, 'stop_reason');
  const base = {
    id: idAt(message, 'uuid') ?? `message-${index}`,
    parentId: parent === rootParent && !hasRoot ? null : parent,
    time: timeAt(message, 'created_at') ?? null,
    role,
  } as const;
  if (sender === 'system') return { ...base, kind: 'hidden', what: 'system', parts: [] };
  if (parts.length === 0) return { ...base, kind: 'hidden', what: 'empty', parts };
  if (sender === 'tool') return { ...base, kind: 'foldUp', what: 'tool', parts };
  return {
    ...base,
    kind: 'message',
    parts,
    ...(role === 'assistant' ? { model } : {}),
    ...(stop === 'max_tokens' ? { finish: 'length' as const } : {}),
    ...(stop === 'user_canceled' ? { status: 'interrupted' as const } : {}),
  };
}

function partsOf(message: unknown, context: ImportContext): SourcePart[] {
  const parts = listAt(message, 'content').flatMap(blockPart);
  const text = textAt(message, 'text') ?? '';
  // Old messages have their words only here; beside blocks it repeats them, or says that this program cannot show them.
  if (text.trim() !== '' && parts.every(({ type }) => type === 'reasoning')) parts.push({ type: 'text', text });
  const pasted = listAt(message, 'attachments').map((one) => attachment(one, context));
  const names = new Set(pasted.map(({ name }) => name));
  const files = filesOf(message).map((file) => attachment(file, context));
  return [...parts, ...pasted, ...files.filter(({ name }) => !names.has(name))];
}

/** The second list repeats the first; pictures may well have the same name. */
function filesOf(message: unknown): unknown[] {
  const idOf = (file: unknown) => idAt(file, 'file_uuid') ?? idAt(file, 'uuid') ?? idAt(file, 'id') ?? wordsAt(file, 'file_name');
  const first = listAt(message, 'files');
  const known = new Set(first.map(idOf));
  return [...first, ...listAt(message, 'files_v2').filter((file) => !known.has(idOf(file)))];
}

function attachment(value: unknown, context: ImportContext): ImportedAttachment {
  const text = textAt(value, 'extracted_content');
  const id = idAt(value, 'file_uuid') ?? idAt(value, 'id');
  const name = wordsAt(value, 'file_name') ?? (text === undefined ? (id ?? 'file') : 'pasted.txt');
  const file = (id === undefined ? undefined : context.findFile(id)) ?? context.findFile(name);
  const json = jsonOf(value);
  if (file !== undefined) return { type: 'attachment', name, bytes: { from: 'file', file }, json };
  if (text === undefined || text === '') return { type: 'attachment', name, bytes: { from: 'nowhere' }, json };
  return {
    type: 'attachment',
    name: /\.\w{1,8}$/.test(name) ? name : `${name}.txt`,
    mime: 'text/plain',
    bytes: { from: 'text', text },
    json,
  };
}

function blockPart(block: unknown): SourcePart[] {
  const type = textAt(block, 'type');
  switch (type) {
    case 'text':
    case 'voice_note': {
      const text = textAt(block, 'text') ?? '';
      return text.trim() === '' ? [] : [{ type: 'text', text }];
    }
    case 'thinking': {
      const text = textAt(block, 'thinking') ?? '';
      return text.trim() === '' ? [] : [{ type: 'reasoning', text, source: 'thinking' }];
    }
    case 'tool_use':
      return [
        {
          type: 'toolCall',
          callId: idAt(block, 'id') ?? 'tool_use',
          name: wordsAt(block, 'name') ?? 'tool',
          arguments: toJsonArguments(at(block, 'input')),
        },
      ];
    case 'tool_result':
      return [
        {
          type: 'toolResult',
          callId: idAt(block, 'tool_use_id'),
          name: wordsAt(block, 'name'),
          text: resultText(block),
          isError: isTrue(block, 'is_error'),
        },
      ];
    // How much room the model was told it had: nothing that anybody wrote.
    case 'token_budget':
      return [];
    default:
      return [{ type: 'raw', source: `claude/${type ?? 'block'}`, json: jsonOf(block) }];
  }
}

function resultText(block: unknown): string {
  const content = at(block, 'content');
  if (typeof content === 'string') return content;
  const texts = listAt(block, 'content').map((one) => {
    const lines = ['title', 'url', 'text'].flatMap((key) => wordsAt(one, key) ?? []);
    return lines.length > 0 ? lines.join('\n') : jsonOf(one);
  });
  return texts.join('\n\n');
}
