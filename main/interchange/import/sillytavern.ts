// SillyTavern: lines of one chat; other tries of a message (swipes) stand in its own line and become its siblings.
import type { Found, ImportContext, LineFormat } from '../format';
import { count, type SourceNode, type SourcePart } from '../importedTree';
import { at, has, idAt, isRecord, isTrue, jsonOf, listAt, numberAt, recordAt, textAt, timeAt, validTime, wordsAt } from '../values';

export const sillytavern: LineFormat = {
  id: 'sillytavern',
  kind: 'lines',
  claims: (first) =>
    first.some((line) => has(line, 'chat_metadata') || (typeof at(line, 'mes') === 'string' && typeof at(line, 'is_user') === 'boolean')),
  start(context) {
    let header: unknown = {};
    const chat: Chat = { nodes: [], previous: null, lines: 0, leftOut: new Map() };
    return {
      line(value) {
        if (isRecord(value) && !has(value, 'mes')) header = value;
        else if (isRecord(value)) addLine(chat, value);
        else count(chat.leftOut, 'unreadable');
        return [];
      },
      end: () => [finished(header, chat, context)],
    };
  },
};

type Chat = { nodes: SourceNode[]; previous: string | null; lines: number; leftOut: Map<string, number> };

function finished(header: unknown, { nodes, previous, leftOut }: Chat, context: ImportContext): Found {
  const name = wordsAt(header, 'character_name');
  const file = context.fileName.replace(/\.jsonl?$/i, '');
  return {
    conversation: {
      id: idAt(recordAt(header, 'chat_metadata'), 'integrity') ?? null,
      title: null,
      otherTitle: name === undefined || file.startsWith(name) ? file : `${name}: ${file}`,
      createdAt: sendTime(header, 'create_date'),
      tree: { nodes, pointer: previous, fallback: 'leaf', order: 'file' },
      leftOut,
    },
  };
}

/** One node for each try; what follows hangs under the one that is shown. */
function addLine(chat: Chat, line: unknown): void {
  const number = chat.lines++;
  const parentId = chat.previous;
  for (const [index, one] of triesOf(line).entries()) {
    const id = one.isChosen ? `line-${number}` : `line-${number}/${index}`;
    chat.nodes.push(toNode(line, one, { id, parentId }));
    if (one.isChosen) chat.previous = id;
  }
}

function toNode(line: unknown, { text, isChosen, info }: Try, ids: Pick<SourceNode, 'id' | 'parentId'>): SourceNode {
  const role = isTrue(line, 'is_user') ? 'user' : 'assistant';
  const extra = (isChosen ? recordAt(line, 'extra') : undefined) ?? recordAt(info, 'extra');
  const times = [isChosen ? line : info, info, line].map((from) => sendTime(from, 'send_date'));
  const time = times.find((found) => found !== undefined) ?? null;
  const parts = [...extraParts(extra), ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }])];
  const base = { ...ids, time, role } as const;
  const isNotice = isTrue(line, 'is_system') && textAt(line, 'name') === 'SillyTavern System';
  if (isNotice || parts.length === 0) return { ...base, kind: 'hidden', what: isNotice ? 'notice' : 'empty', parts: [] };
  // Who speaks; in a group that differs from line to line.
  const model = role === 'assistant' ? (wordsAt(extra, 'model') ?? wordsAt(line, 'name')) : undefined;
  return { ...base, kind: 'message', parts, ...(model === undefined ? {} : { model }) };
}

type Try = { text: string; isChosen: boolean; info: unknown };

/** `mes` is what is shown: edited by hand it differs from the try it was. */
function triesOf(line: unknown): Try[] {
  const shown = textAt(line, 'mes') ?? '';
  const swipes = listAt(line, 'swipes');
  const infos = listAt(line, 'swipe_info');
  const named = numberAt(line, 'swipe_id') ?? -1;
  const isUsable = Number.isInteger(named) && named >= 0 && named < swipes.length;
  const chosen = isUsable ? named : swipes.indexOf(shown);
  const tries = swipes.map((text, index): Try => {
    const isChosen = index === chosen;
    return { text: isChosen ? shown : typeof text === 'string' ? text : '', isChosen, info: infos[index] };
  });
  const others = tries.filter(({ text, isChosen }) => isChosen || text.trim() !== '');
  return chosen < 0 ? [...others, { text: shown, isChosen: true, info: undefined }] : others;
}

function extraParts(extra: unknown): SourcePart[] {
  const parts: SourcePart[] = [];
  const reasoning = textAt(extra, 'reasoning') ?? '';
  if (reasoning.trim() !== '') parts.push({ type: 'reasoning', text: reasoning, source: 'reasoning' });
  const named = ['image', 'file', 'video'].map((key) => ({ key, found: at(extra, key) }));
  const listed = ['files', 'media'].flatMap((key) => listAt(extra, key).map((found) => ({ key: 'file', found })));
  for (const { key, found } of [...named, ...listed]) {
    if (found === undefined || found === null || found === '') continue;
    const name = typeof found === 'string' ? found : (wordsAt(found, 'name') ?? wordsAt(found, 'url') ?? key);
    parts.push({ type: 'attachment', name: name.split('/').at(-1) ?? key, bytes: { from: 'nowhere' }, json: jsonOf(found) });
  }
  return parts;
}

/** Besides ISO: `2026-03-08@20h00m00s`, `March 8, 2026 8:00pm`. */
function sendTime(value: unknown, key: string): number | undefined {
  const text = textAt(value, key);
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m(?: ?(\d{1,2})s)?/.exec(text ?? '');
  if (match !== null) {
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map((digits) => Number(digits ?? 0));
    return validTime(new Date(year, month - 1, day, hour, minute, second).getTime());
  }
  const spaced = text?.replace(/(\d)(am|pm)$/i, '$1 $2');
  return timeAt({ [key]: spaced ?? at(value, key) }, key);
}
