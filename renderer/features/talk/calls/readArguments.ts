// What a call was given, as far as it can be read: models send JSON that is still being written, cut, or none at all. Pure.

/** `whole`: the text is one JSON object. */
export type ReadArguments = { values: Readonly<Record<string, unknown>>; whole: boolean };

/** Of arguments that are still being written only the beginning is looked at, so that a long file costs nothing a frame. */
const lookedAt = 4000;

export function readArguments(text: string, writing = false): ReadArguments {
  if (!writing || text.length <= lookedAt) {
    const parsed = parse(text);
    // Some models wrap the object in a string once more.
    const inner = typeof parsed === 'string' ? parse(parsed) : parsed;
    if (isRecord(inner)) return { values: inner, whole: true };
  }
  return { values: readBeginning(text.slice(0, lookedAt)), whole: false };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names with texts or numbers at the beginning of an object; a text that is cut is given as far as it goes. */
function readBeginning(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const pair = /\s*[{,]\s*"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)("?)|(-?\d[\d.eE+-]*|true|false|null)(?=\s*[,}]))/y;
  for (let match = pair.exec(text); match; match = pair.exec(text)) {
    const [, name = '', words, , other] = match;
    values[unescaped(name)] = words === undefined ? parse(other ?? '') : unescaped(words);
  }
  return values;
}

function unescaped(text: string): string {
  // A bare line end is no JSON, but a model may write one; what else counts as a control character may stand as it is.
  const bare = text.replace(/\\u[0-9a-fA-F]{0,3}$/, '').replace(/\p{Cc}/gu, (control) => (control < ' ' ? ' ' : control));
  const value = parse(`"${bare}"`);
  return typeof value === 'string' ? value : text;
}
