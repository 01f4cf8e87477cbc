// What of a message can be found: its text, the names of its files, its tool calls; what the agent thought is apart (Q1).
import type { Part } from '../../shared/model/message';
import { parseJson } from '../lib/parseJson';
import { loadParts, type StoredContent } from './parts';

/** `words`: what was said, called and attached. As written: fold it before it is compared. */
export type Searchable = { words: string; reasoning: string };

export function searchableOf(row: StoredContent): Searchable {
  if (row.parts === null) return { words: row.text ?? '', reasoning: '' };
  const words: string[] = [];
  const reasoning: string[] = [];
  for (const part of loadParts(row)) {
    if (part.type === 'reasoning') reasoning.push(part.text);
    else words.push(...wordsOf(part));
  }
  return { words: words.join('\n\n'), reasoning: reasoning.join('\n\n') };
}

export function wordsOf(part: Part): string[] {
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'image':
    case 'file':
      return [part.name];
    case 'toolCall':
      return [[part.name, ...valuesOf(part.arguments), part.summary ?? ''].join('\n')];
    default:
      return [];
  }
}

/** What stands in a call's arguments, without JSON's own escapes; a text that is no JSON as it is. */
function valuesOf(json: string): string[] {
  const value = parseJson(json);
  if (value === undefined) return [json];
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string') found.push(one);
    else if (typeof one === 'number') found.push(String(one));
    else if (Array.isArray(one)) for (let at = one.length - 1; at >= 0; at--) open.push(one[at]);
    else if (typeof one === 'object' && one !== null) for (const [key, inner] of Object.entries(one).reverse()) open.push(inner, key);
  }
  return found;
}
