// pi: lines of one session. From version 2 on each names its parent; before, the order of the lines is all there is.
import type { Found, LineFormat } from '../format';
import { count, type SourceConversation, type SourceNode, type SourcePart } from '../importedTree';
import { at, has, idAt, isRecord, isTrue, jsonOf, numberAt, recordAt, textAt, timeAt, toJsonArguments, wordsAt } from '../values';

export const pi: LineFormat = {
  id: 'pi',
  kind: 'lines',
  claims(first) {
    const header = first.find((line) => textAt(line, 'type') === 'session');
    if (header === undefined) return first.some(isMessageLine);
    if (has(header, 'harness') || has(header, 'currNode')) return false;
    return textAt(header, 'timestamp') !== undefined || first.some(isMessageLine);
  },
  start() {
    let open: Session | null = null;
    const close = (): Found[] => (open === null ? [] : [finished(open)]);
    return {
      line(value) {
        if (isRecord(value) && textAt(value, 'type') === 'session') {
          const found = close();
          open = newSession(value);
          return found;
        }
        open ??= newSession(null);
        addLine(open, value);
        return [];
      },
      end: close,
    };
  },
};

/** The first line of a file may be damaged. */
function isMessageLine(line: unknown): boolean {
  const message = textAt(line, 'type') === 'message' ? recordAt(line, 'message') : undefined;
  return textAt(message, 'role') !== undefined && has(message, 'content') && !has(message, 'convId');
}

type Session = {
  header: unknown;
  nodes: SourceNode[];
  title: string | null;
  labels: Map<string, string>;
  leftOut: Map<string, number>;
  isFlat: boolean;
  last: string | null;
};

function newSession(header: unknown): Session {
  const isFlat = header !== null && (numberAt(header, 'version') ?? 1) < 2;
  return { header, nodes: [], title: null, labels: new Map(), leftOut: new Map(), isFlat, last: null };
}

function addLine(session: Session, value: unknown): void {
  if (!isRecord(value)) {
    count(session.leftOut, 'unreadable');
    return;
  }
  const node = toNode(value, `line-${session.nodes.length}`);
  if (session.isFlat || (!('parentId' in value) && idAt(value, 'id') === undefined)) node.parentId = session.last;
  session.nodes.push(node);
  session.last = node.id;
  const type = textAt(value, 'type');
  if (type === 'session_info') session.title = wordsAt(value, 'name') ?? session.title;
  const target = idAt(value, 'targetId');
  if (type === 'label' && target !== undefined) {
    const label = wordsAt(value, 'label');
    if (label === undefined) session.labels.delete(target);
    else session.labels.set(target, label);
  }
}

function finished({ header, nodes, title, labels, leftOut, isFlat, last }: Session): Found {
  const folder = wordsAt(header, 'cwd')?.split(/[/\\]/).at(-1);
  const conversation: SourceConversation = {
    id: idAt(header, 'id') ?? null,
    title,
    ...(folder === undefined ? {} : { otherTitle: folder }),
    createdAt: timeAt(header, 'timestamp'),
    tree: { nodes, pointer: last, fallback: 'leaf', order: isFlat ? 'file' : 'time' },
    labels: [...labels].map(([nodeId, label]) => ({ nodeId, label })),
    leftOut,
  };
  return { conversation };
}

function toNode(entry: unknown, otherId: string): SourceNode {
  const type = textAt(entry, 'type') ?? 'line';
  const base = { id: idAt(entry, 'id') ?? otherId, parentId: idAt(entry, 'parentId') ?? null, time: timeAt(entry, 'timestamp') ?? null };
  if (type === 'custom_message') {
    const parts = contentParts(at(entry, 'content'));
    const isShown = at(entry, 'display') !== false && parts.length > 0;
    return isShown ? { ...base, kind: 'message', role: 'user', parts } : { ...base, kind: 'hidden', what: type, role: 'user', parts: [] };
  }
  const message = recordAt(entry, 'message');
  if (type !== 'message' || message === undefined) return { ...base, kind: 'hidden', what: type, role: 'user', parts: [] };
  return { ...messageNode(message, base), ...(base.time === null ? { time: timeAt(message, 'timestamp') ?? null } : {}) };
}

type Base = Pick<SourceNode, 'id' | 'parentId' | 'time'>;

function messageNode(message: unknown, base: Base): SourceNode {
  const role = textAt(message, 'role');
  const parts = contentParts(at(message, 'content'));
  switch (role) {
    case 'user':
      return shown({ ...base, role: 'user', parts });
    case 'assistant':
      return answer(message, base, parts);
    case 'toolResult':
      return { ...base, kind: 'foldUp', what: 'toolResult', role: 'assistant', parts: resultParts(message, parts) };
    case 'bashExecution':
      return shown({ ...base, role: 'user', parts: [{ type: 'text', text: bashText(message) }] });
    case 'custom':
    case 'hookMessage':
      return at(message, 'display') === false
        ? { ...base, kind: 'hidden', what: 'custom', role: 'user', parts: [] }
        : shown({ ...base, role: 'user', parts });
    case 'system':
    case 'compactionSummary':
    case 'branchSummary':
      return { ...base, kind: 'hidden', what: role, role: 'user', parts: [] };
    default:
      return { ...base, kind: 'hidden', what: role ?? 'message', role: 'user', parts: [] };
  }
}

function shown(node: Omit<SourceNode, 'kind'>): SourceNode {
  return node.parts.length > 0 ? { ...node, kind: 'message' } : { ...node, kind: 'hidden', what: 'empty' };
}

function answer(message: unknown, base: Base, parts: SourcePart[]): SourceNode {
  const stop = textAt(message, 'stopReason');
  const error = stop === 'error' ? (wordsAt(message, 'errorMessage') ?? 'error') : undefined;
  const model = wordsAt(message, 'model');
  const usage = recordAt(message, 'usage');
  const [input, output] = [numberAt(usage, 'input'), numberAt(usage, 'output')];
  const cached = numberAt(usage, 'cacheRead') ?? 0;
  const node: Omit<SourceNode, 'kind'> = {
    ...base,
    role: 'assistant',
    parts,
    ...(model === undefined ? {} : { model }),
    ...(input === undefined || output === undefined
      ? {}
      : { usage: { input: input + cached, output, ...(cached > 0 ? { cachedInput: cached } : {}) } }),
    ...(stop === 'aborted' || error !== undefined ? { status: 'interrupted' as const } : {}),
    ...(stop === 'length' ? { finish: 'length' as const } : {}),
    ...(error === undefined ? {} : { failure: { code: 'serverError' as const, message: error, retryable: false } }),
  };
  return error === undefined ? shown(node) : { ...node, kind: 'message' };
}

function resultParts(message: unknown, parts: readonly SourcePart[]): SourcePart[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const others = parts.filter(({ type }) => type !== 'text');
  return [
    {
      type: 'toolResult',
      callId: idAt(message, 'toolCallId'),
      name: wordsAt(message, 'toolName'),
      text,
      isError: isTrue(message, 'isError'),
    },
    ...others,
  ];
}

/** As a person would paste it: the fence is longer than any in the output. */
function bashText(message: unknown): string {
  const text = `$ ${textAt(message, 'command') ?? ''}\n${textAt(message, 'output') ?? ''}`.trimEnd();
  const longest = Math.max(2, ...[...text.matchAll(/^`{3,}/gm)].slice(0, 1000).map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function contentParts(content: unknown): SourcePart[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [{ type: 'text', text: content }];
  return (Array.isArray(content) ? content : []).flatMap(blockPart);
}

function blockPart(block: unknown): SourcePart[] {
  const type = textAt(block, 'type');
  switch (type) {
    case 'text': {
      const text = textAt(block, 'text') ?? '';
      return text.trim() === '' ? [] : [{ type: 'text', text }];
    }
    case 'thinking': {
      const text = textAt(block, 'thinking') ?? '';
      return text.trim() === '' ? [] : [{ type: 'reasoning', text, source: 'thinking' }];
    }
    case 'toolCall':
      return [
        {
          type: 'toolCall',
          callId: idAt(block, 'id') ?? 'toolCall',
          name: wordsAt(block, 'name') ?? 'tool',
          arguments: toJsonArguments(at(block, 'arguments')),
        },
      ];
    case 'image': {
      const data = wordsAt(block, 'data');
      const mime = wordsAt(block, 'mimeType');
      const bytes = data === undefined ? ({ from: 'nowhere' } as const) : ({ from: 'base64', data } as const);
      return [
        { type: 'attachment', name: 'image', ...(mime === undefined ? {} : { mime }), bytes, json: jsonOf({ type, mimeType: mime }) },
      ];
    }
    default:
      return [{ type: 'raw', source: `pi/${type ?? 'block'}`, json: jsonOf(block) }];
  }
}
