// LM Studio: one conversation a file; a message has versions, of which one is shown. Private to that program, so it may change.
import type { Found, ImportContext, ValueFormat } from '../format';
import type { SourceNode, SourcePart } from '../importedTree';
import { at, idAt, isTrue, jsonOf, listAt, numberAt, recordAt, textAt, timeAt, toJsonArguments, wordsAt } from '../values';

export const lmstudio: ValueFormat = {
  id: 'lmstudio',
  kind: 'values',
  claims: (value) => listAt(value, 'messages').some((message) => Array.isArray(at(message, 'versions'))),
  read: (value, context) => [read(value, context)],
};

function read(value: unknown, context: ImportContext): Found {
  const nodes: SourceNode[] = [];
  let previous: string | null = null;
  listAt(value, 'messages').forEach((message, number) => {
    const versions = listAt(message, 'versions');
    const named = numberAt(message, 'currentlySelected') ?? -1;
    const chosen = Number.isInteger(named) && named >= 0 && named < versions.length ? named : versions.length - 1;
    const parentId: string | null = previous;
    versions.forEach((version, index) => {
      const isChosen = index === chosen;
      const node = toNode(version, { id: isChosen ? `message-${number}` : `message-${number}/${index}`, parentId });
      if (!isChosen && node.kind === 'hidden') return;
      nodes.push(node);
      if (isChosen) previous = node.id;
    });
  });
  const file = context.fileName.replace(/\.conversation\.json$|\.json$/i, '');
  return {
    conversation: {
      // Its name is the only id it has.
      id: /^\d{10,16}$/.test(file) ? file : null,
      title: wordsAt(value, 'name') ?? null,
      createdAt: timeAt(value, 'createdAt'),
      updatedAt: timeAt(value, 'assistantLastMessagedAt') ?? timeAt(value, 'userLastMessagedAt'),
      pinned: isTrue(value, 'pinned'),
      tree: { nodes, pointer: previous, fallback: 'leaf', order: 'file' },
      ...(wordsAt(value, 'systemPrompt') === undefined ? {} : { leftOut: new Map([['system', 1]]) }),
    },
  };
}

function toNode(version: unknown, { id, parentId }: { id: string; parentId: string | null }): SourceNode {
  const author = textAt(version, 'role');
  const role = author === 'user' ? 'user' : 'assistant';
  const base = { id, parentId, time: null, role } as const;
  const parts = [
    ...listAt(version, 'content').flatMap((block) => blockParts(block, 'content')),
    ...listAt(version, 'steps').flatMap(stepParts),
  ];
  if (author === 'system') return { ...base, kind: 'hidden', what: 'system', parts: [] };
  if (parts.length === 0) return { ...base, kind: 'hidden', what: 'empty', parts };
  const info = listAt(version, 'steps')
    .map((step) => recordAt(step, 'genInfo'))
    .find((one) => one !== undefined);
  const model =
    wordsAt(info, 'indexedModelIdentifier') ?? wordsAt(info, 'identifier') ?? wordsAt(recordAt(version, 'senderInfo'), 'senderName');
  return { ...base, kind: 'message', parts, ...(model === undefined || role === 'user' ? {} : { model }) };
}

function stepParts(step: unknown): SourcePart[] {
  const type = textAt(step, 'type');
  if (type === 'contentBlock') {
    const isThinking = textAt(recordAt(step, 'style'), 'type') === 'thinking';
    return listAt(step, 'content').flatMap((block) => blockParts(block, isThinking ? 'thinking' : 'content'));
  }
  // What the program shows of its own work: loading a model, processing a file.
  if (type === 'debugInfoBlock' || type === 'status') return [];
  return [{ type: 'raw', source: `lmstudio/${type ?? 'step'}`, json: jsonOf(step) }];
}

function blockParts(block: unknown, kind: 'thinking' | 'content'): SourcePart[] {
  const type = textAt(block, 'type');
  const text = textAt(block, 'text') ?? '';
  switch (type) {
    case 'text':
      if (text.trim() === '') return [];
      return [kind === 'thinking' ? { type: 'reasoning', text, source: 'thinking' } : { type: 'text', text }];
    case 'file': {
      const name = wordsAt(block, 'fileIdentifier') ?? 'file';
      return [{ type: 'attachment', name, bytes: { from: 'nowhere' }, json: jsonOf(block) }];
    }
    case 'toolCallRequest':
      return [
        {
          type: 'toolCall',
          callId: idAt(block, 'toolCallRequestId') ?? idAt(block, 'callId') ?? 'call',
          name: wordsAt(block, 'name') ?? 'tool',
          arguments: toJsonArguments(at(block, 'parameters')),
        },
      ];
    case 'toolCallResult':
      return [
        {
          type: 'toolResult',
          callId: idAt(block, 'toolCallRequestId') ?? idAt(block, 'callId'),
          text: toJsonArguments(at(block, 'content')),
        },
      ];
    default:
      return [{ type: 'raw', source: `lmstudio/${type ?? 'block'}`, json: jsonOf(block) }];
  }
}
