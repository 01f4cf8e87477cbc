// What a file is by its first bytes, whatever its name says: a list, an object, lines of JSON, an archive, or nothing that can be imported.
import { parseJson } from '../lib/parseJson';

export type Shape = 'list' | 'object' | 'lines' | 'zip' | 'empty' | 'other';

const zipMarks = ['PK\u0003\u0004', 'PK\u0005\u0006'];
const byteOrderMark = '\ufeff';

/** `isAll`: the head is the whole file. */
export function shapeOf(head: Buffer, isAll: boolean): Shape {
  if (zipMarks.includes(head.subarray(0, 4).toString('latin1'))) return 'zip';
  const text = head.toString('utf8').replace(byteOrderMark, '').trimStart();
  if (text === '') return isAll ? 'empty' : 'other';
  if (text.startsWith('[')) return 'list';
  const lines = wholeLines(text, isAll);
  const [first] = lines;
  if (first !== undefined && isObject(first)) return lines.length > 1 || isSession(first) || !isAll ? 'lines' : 'object';
  // A first line that is damaged does not make the others something else.
  const next = lines.slice(1, 4);
  if (next.length > 0 && next.every(isObject)) return 'lines';
  return text.startsWith('{') ? 'object' : 'other';
}

function wholeLines(text: string, isAll: boolean): string[] {
  const lines = text.split('\n', 6).map((line) => line.trim());
  // The last one may go on beyond the head.
  const whole = isAll || lines.length === 6 || text.endsWith('\n') ? lines : lines.slice(0, -1);
  return whole.filter((line) => line !== '');
}

const parsed = (line: string): unknown => (line.startsWith('{') && line.endsWith('}') ? parseJson(line) : undefined);
const isObject = (line: string): boolean => Object.keys(Object(parsed(line))).length > 0;
/** A session of one line is still a file of lines. */
const isSession = (line: string): boolean => {
  const { type, chat_metadata, mes } = Object(parsed(line));
  return type === 'session' || type === 'bough' || chat_metadata !== undefined || mes !== undefined;
};
