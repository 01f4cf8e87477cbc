// ChatGPT: a list of conversations, each a map of nodes. Thoughts, calls and results are nodes of their own and are folded into the answer below.
import type { Found, ImportContext, ValueFormat } from '../format';
import type { SourceNode, SourcePart } from '../importedTree';
import { at, idAt, isRecord, isTrue, type JsonRecord, jsonOf, listAt, numberAt, recordAt, textAt, timeAt, wordsAt } from '../values';

export const chatgpt: ValueFormat = {
  id: 'chatgpt',
  kind: 'values',
  claims: (value) => recordAt(value, 'mapping') !== undefined,
  read(value, context) {
    const title = textAt(value, 'title') ?? null;
    const mapping = recordAt(value, 'mapping');
    if (mapping === undefined) return [{ skipped: { title, reason: isRecord(value) ? 'noMessages' : 'unreadable' } }];
    const nodes = Object.entries(mapping).map(([key, node]) => toNode(key, node, context));
    return [conversationOf(value, title, nodes)];
  },
};

function conversationOf(value: unknown, title: string | null, nodes: SourceNode[]): Found {
  return {
    conversation: {
      id: idAt(value, 'conversation_id') ?? idAt(value, 'id') ?? null,
      title,
      createdAt: timeAt(value, 'create_time'),
      updatedAt: timeAt(value, 'update_time'),
      archived: isTrue(value, 'is_archived'),
      pinned: isTrue(value, 'is_starred'),
      tree: { nodes, pointer: idAt(value, 'current_node') ?? null, fallback: 'leaf', order: 'time' },
    },
  };
}

function toNode(key: string, node: unknown, context: ImportContext): SourceNode {
  const message = recordAt(node, 'message');
  // Ids in the map are what parents name; where the record itself has another one, they may name that.
  const alias = idAt(node, 'id');
  const base = {
    id: key,
    ...(alias === undefined || alias === key ? {} : { alias }),
    parentId: idAt(node, 'parent') ?? null,
    time: timeAt(message, 'create_time') ?? null,
  };
  if (message === undefined) return { ...base, kind: 'hidden', what: 'root', role: 'user', parts: [] };
  const author = textAt(recordAt(message, 'author'), 'role');
  const role = author === 'user' ? 'user' : 'assistant';
  const what = hiddenAs(message, author);
  if (what !== null) return { ...base, kind: 'hidden', what, role, parts: [] };
  const parts = partsOf(message, context);
  const facts = { ...base, role, parts, ...answerFacts(message, role) } as const;
  if (author === 'tool') return toolNode(facts, message);
  const folded = foldedParts(message, role, parts);
  if (folded !== null) return { ...facts, kind: 'foldDown', standsAlone: true, parts: folded };
  return parts.length === 0 ? { ...base, kind: 'hidden', what: 'empty', role, parts } : { ...facts, kind: 'message' };
}

/** Why a node is not shown; null when it is. */
function hiddenAs(message: JsonRecord, author: string | undefined): string | null {
  const type = textAt(recordAt(message, 'content'), 'content_type');
  if (type === 'user_editable_context' || type === 'model_editable_context') return 'context';
  if (author === 'system') return 'system';
  if (numberAt(message, 'weight') === 0 || isTrue(recordAt(message, 'metadata'), 'is_visually_hidden_from_conversation')) return 'hidden';
  return null;
}

function answerFacts(message: JsonRecord, role: 'user' | 'assistant'): Pick<SourceNode, 'model' | 'status' | 'finish'> {
  if (role === 'user') return {};
  const metadata = recordAt(message, 'metadata');
  // Older answers do not say which; they go by the program.
  const model = wordsAt(metadata, 'model_slug') ?? 'ChatGPT';
  const end = textAt(recordAt(metadata, 'finish_details'), 'type');
  const brokeOff = textAt(message, 'status') === 'in_progress' || end === 'interrupted';
  return {
    model,
    ...(brokeOff ? { status: 'interrupted' as const } : {}),
    ...(end === 'max_tokens' ? { finish: 'length' as const } : {}),
  };
}

type Facts = Omit<SourceNode, 'kind'>;

/** A picture that a tool made is shown; anything else a tool gives back belongs to its call. */
function toolNode(facts: Facts, message: JsonRecord): SourceNode {
  const pictures = facts.parts.filter(({ type }) => type === 'attachment');
  const name = wordsAt(recordAt(message, 'author'), 'name');
  const text = facts.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const others = facts.parts.filter(({ type }) => type !== 'attachment' && type !== 'text');
  const isError = textAt(recordAt(message, 'content'), 'content_type') === 'system_error';
  const result: SourcePart = { type: 'toolResult', name, text, isError };
  const isNothing = text === '' && others.length > 0;
  const parts = [...(isNothing ? [] : [result]), ...others, ...pictures];
  return { ...facts, kind: pictures.length > 0 ? 'message' : 'foldDown', what: 'tool', parts };
}

/** The parts of an assistant's node that is no answer: thoughts, a recap, a call. Null when it is one. */
function foldedParts(message: JsonRecord, role: 'user' | 'assistant', parts: SourcePart[]): SourcePart[] | null {
  if (role === 'user') return null;
  const content = recordAt(message, 'content');
  const type = textAt(content, 'content_type');
  if (type === 'thoughts' || type === 'reasoning_recap') return parts;
  const recipient = wordsAt(message, 'recipient') ?? 'all';
  if (recipient === 'all') return null;
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const others = parts.filter((part) => part.type !== 'text');
  return [{ type: 'toolCall', callId: idAt(message, 'id') ?? recipient, name: recipient, arguments: text }, ...others];
}

function partsOf(message: JsonRecord, context: ImportContext): SourcePart[] {
  const content = recordAt(message, 'content');
  const parts = content === undefined ? [] : contentParts(message, content, context);
  const named = new Set(parts.flatMap((part) => (part.type === 'attachment' ? [part.name] : [])));
  for (const attachment of listAt(recordAt(message, 'metadata'), 'attachments')) {
    const name = wordsAt(attachment, 'name') ?? idAt(attachment, 'id') ?? 'file';
    if (named.has(name)) continue;
    const file = context.findFile(idAt(attachment, 'id') ?? name) ?? context.findFile(name);
    parts.push(attachmentPart(name, textAt(attachment, 'mime_type'), file, attachment));
  }
  return parts;
}

function contentParts(message: JsonRecord, content: JsonRecord, context: ImportContext): SourcePart[] {
  switch (textAt(content, 'content_type')) {
    case 'text':
    case undefined:
    case 'multimodal_text':
      return listAt(content, 'parts').flatMap((part) => mixedPart(part, message, context));
    case 'code':
    case 'execution_output':
    case 'system_error':
      return textPart(textAt(content, 'text'));
    case 'thoughts':
      return thoughts(content);
    case 'reasoning_recap':
      return reasoning(textAt(content, 'content'), 'reasoning_recap');
    case 'tether_quote':
    case 'tether_browsing_display':
    case 'sonic_webpage':
      return textPart(['title', 'url', 'text', 'result', 'summary'].flatMap((key) => wordsAt(content, key) ?? []).join('\n'));
    default:
      return [{ type: 'raw', source: `chatgpt/${textAt(content, 'content_type') ?? 'content'}`, json: jsonOf(content) }];
  }
}

const textPart = (text: string | undefined): SourcePart[] => (text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }]);
const reasoning = (text: string | undefined, source: string): SourcePart[] =>
  text === undefined || text.trim() === '' ? [] : [{ type: 'reasoning', text, source }];

function thoughts(content: JsonRecord): SourcePart[] {
  const plain = textAt(content, 'thoughts');
  if (plain !== undefined) return reasoning(plain, 'thoughts');
  const told = listAt(content, 'thoughts').map((thought) =>
    ['summary', 'content'].flatMap((key) => wordsAt(thought, key) ?? []).join('\n\n'),
  );
  return reasoning(told.filter((text) => text !== '').join('\n\n'), 'thoughts');
}

function mixedPart(part: unknown, message: JsonRecord, context: ImportContext): SourcePart[] {
  if (typeof part === 'string') return textPart(readable(part, message));
  const type = textAt(part, 'content_type');
  const pointer = wordsAt(part, 'asset_pointer');
  if (pointer !== undefined) return [assetPart(pointer, part, message, context)];
  if (type === 'audio_transcription') return textPart(textAt(part, 'text'));
  if (type === undefined && wordsAt(part, 'text') !== undefined) return textPart(textAt(part, 'text'));
  // Voice chats hold their recordings inside another object.
  const inner = recordAt(part, 'audio_asset_pointer');
  const innerPointer = wordsAt(inner, 'asset_pointer');
  if (innerPointer !== undefined) return [assetPart(innerPointer, inner, message, context)];
  return part === null || part === undefined ? [] : [{ type: 'raw', source: `chatgpt/${type ?? 'part'}`, json: jsonOf(part) }];
}

/** `sediment://file_x`, `file-service://file-x`: the name of its file begins with the id, the message may know its own name. */
function assetPart(pointer: string, part: unknown, message: JsonRecord, context: ImportContext): SourcePart {
  const id = pointer.replace(/^[a-z-]+:\/\//, '').replace(/[#?].*$/s, '');
  const known = listAt(recordAt(message, 'metadata'), 'attachments').find((one) => idAt(one, 'id') === id);
  const file = context.findFile(id);
  const given = file === undefined ? undefined : (context.givenName?.(file) ?? file.split('/').at(-1));
  const name = wordsAt(known, 'name') ?? given ?? id;
  return attachmentPart(name, textAt(known, 'mime_type'), file, part);
}

function attachmentPart(name: string, mime: string | undefined, file: string | undefined, json: unknown): SourcePart {
  return {
    type: 'attachment',
    name,
    ...(mime === undefined ? {} : { mime }),
    bytes: file === undefined ? { from: 'nowhere' } : { from: 'file', file },
    json: jsonOf(json),
  };
}

/** Marks of citations between private-use characters become links to what they cite, or go. */
function readable(written: string, message: JsonRecord): string {
  const text = written.includes('【') ? withSources(written, message) : written;
  if (!text.includes('\ue200')) return text;
  const links = new Map<string, string>();
  for (const reference of listAt(recordAt(message, 'metadata'), 'content_references')) {
    const mark = textAt(reference, 'matched_text');
    if (mark !== undefined) links.set(mark, linksOf(reference));
  }
  return text.replace(/ ?(\ue200[^\ue200\ue201]*\ue201)/g, (_, mark: string) => links.get(mark) ?? '').replace(/[\ue200-\ue202]/g, '');
}

const sourceMark = /^【[^【】]{1,200}】$/u;

/** Older answers: `【3:0†source】` at a place counted in characters. Where none stands, or it leads nowhere, the text stays as it is. */
function withSources(text: string, message: JsonRecord): string {
  const characters = [...text];
  const citations = listAt(recordAt(message, 'metadata'), 'citations')
    .map((one) => ({ from: numberAt(one, 'start_ix') ?? -1, to: numberAt(one, 'end_ix') ?? -1, about: at(one, 'metadata') }))
    .sort((a, b) => a.from - b.from);
  let told = '';
  let rest = 0;
  for (const { from, to, about } of citations) {
    if (from < rest || to - from > 202 || !sourceMark.test(characters.slice(from, to).join(''))) continue;
    const link = linksOf({ items: [about] });
    if (link === '') continue;
    told += characters.slice(rest, from).join('') + link;
    rest = to;
  }
  return told + characters.slice(rest).join('');
}

function linksOf(reference: unknown): string {
  const items = listAt(reference, 'items').slice(0, 10);
  const links = items.flatMap((item) => {
    const url = wordsAt(item, 'url');
    if (url === undefined || !/^https?:\/\/[^\s()<>]+$/.test(url)) return [];
    const name = (wordsAt(item, 'title') ?? url).replace(/[[\]\\`<>\n]/g, ' ').trim();
    return [` ([${name}](${url}))`];
  });
  return links.join('');
}
