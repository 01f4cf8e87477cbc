// The arguments of a tool call as text: what models write is not always the JSON object that it should be.
import { parseJson } from '../lib/parseJson';

export type ReadArguments = { text: string; valid: boolean };

/** Nothing (or `null`) means no arguments; an object written as a JSON string is unwrapped; the text of an object stays as it is. */
export function readArguments(written: string): ReadArguments {
  const text = written.trim();
  if (text === '' || text === 'null') return { text: '{}', valid: true };
  const value = parseJson(text);
  if (isObject(value)) return { text: written, valid: true };
  if (typeof value === 'string' && isObject(parseJson(value))) return { text: value, valid: true };
  return { text: written, valid: false };
}

/** The object itself; empty when the text is none. */
export function argumentsObject(written: string): Record<string, unknown> {
  const value = parseJson(readArguments(written).text);
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
