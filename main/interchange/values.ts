// Reads the fields of JSON that other programs wrote: every value may be anything, ids may be `__proto__`, so nothing is taken on trust.

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own fields only: what an object inherits is not in the file. */
export function at(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
export const has = (value: unknown, key: string): boolean => isRecord(value) && Object.hasOwn(value, key);

export function textAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  return typeof found === 'string' ? found : undefined;
}
/** Text that says something: empty text counts as none. */
export function wordsAt(value: unknown, key: string): string | undefined {
  const found = textAt(value, key);
  return found === undefined || found === '' ? undefined : found;
}
export function numberAt(value: unknown, key: string): number | undefined {
  const found = at(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
export function listAt(value: unknown, key: string): unknown[] {
  const found = at(value, key);
  return Array.isArray(found) ? found : [];
}
export function recordAt(value: unknown, key: string): JsonRecord | undefined {
  const found = at(value, key);
  return isRecord(found) ? found : undefined;
}
export const isTrue = (value: unknown, key: string): boolean => at(value, key) === true;

/** An id as text: some programs number their messages. */
export function idAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

const latestTime = 8.64e15;
/** Numbers below are seconds: as milliseconds they would lie in the first days of 1973. */
const smallestMilliseconds = 1e11;
/** Numbers above are microseconds, far above nanoseconds: as milliseconds they would lie beyond the year 5138. */
const largestMilliseconds = 1e14;
const largestMicroseconds = 1e17;

/** Unix time in whole milliseconds from seconds, finer units or a date in words; undefined when it says nothing. */
export function timeAt(value: unknown, key: string): number | undefined {
  const found = at(value, key);
  if (typeof found === 'number') return validTime(toMilliseconds(found));
  if (typeof found !== 'string' || found === '') return undefined;
  if (/^\d{9,19}(\.\d+)?$/.test(found)) return timeAt({ [key]: Number(found) }, key);
  return validTime(Date.parse(found));
}

function toMilliseconds(time: number): number {
  if (time < smallestMilliseconds) return time * 1000;
  if (time > largestMicroseconds) return time / 1e6;
  return time > largestMilliseconds ? time / 1000 : time;
}

export function validTime(time: number): number | undefined {
  return Number.isFinite(time) && time > 0 && time <= latestTime ? Math.round(time) : undefined;
}

/** JSON of a value, for what is kept as it was. Nesting deeper than the engine can write becomes a note. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return '"nested too deeply to be kept"';
    throw error;
  }
}

export function toJsonArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : jsonOf(value);
}
