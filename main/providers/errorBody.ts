// The words of an error inside any of the wrappings that servers use.
import { parseJson } from '../lib/parseJson';

export type ErrorBody = { message: string; code: string; type: string; status: number | undefined };

/** `{error:{…}}`, `{error:"…"}`, arrays of one, JSON in a string, FastAPI's detail, HTML, plain text. */
export function readErrorBody(text: string): ErrorBody {
  let value: unknown = parseJson(text);
  for (let depth = 0; depth < 6; depth += 1) {
    const inner = unwrapOnce(value);
    if (inner === undefined) break;
    value = inner;
  }
  if (typeof value === 'string') return { message: value, code: '', type: '', status: undefined };
  if (!isRecord(value)) return { message: plain(text), code: '', type: '', status: undefined };
  const status = [value['code'], value['status'], value['status_code']].map(Number).find((number) => number >= 400 && number < 600);
  return {
    message: sentence(value, text),
    code: word(value['code']),
    type: `${word(value['type'])} ${word(value['status'])}`.trim(),
    status,
  };
}

/** What is inside one wrapping, undefined when there is none. */
function unwrapOnce(value: unknown): unknown {
  if (typeof value === 'string') return /^\s*[[{"]/.test(value) ? parseJson(value) : undefined;
  if (Array.isArray(value)) return value[0];
  if (!isRecord(value)) return undefined;
  const { error, message } = value;
  if (isRecord(error)) return { ...value, error: null, ...error };
  if (Array.isArray(error) || (typeof error === 'string' && error !== '')) return error;
  return typeof message === 'string' && /^\s*\{/.test(message) ? parseJson(message) : undefined;
}

function sentence(value: Record<string, unknown>, text: string): string {
  for (const key of ['message', 'detail', 'msg', 'error_description', 'title']) {
    const found = value[key];
    if (typeof found === 'string' && found.trim()) return found;
    if (Array.isArray(found)) return JSON.stringify(found);
  }
  const metadata = value['metadata'];
  return isRecord(metadata) && typeof metadata['raw'] === 'string' ? metadata['raw'] : plain(text);
}

/** An HTML page or plain text as a line a person can read. */
function plain(text: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1];
  if (title) return title.trim();
  return (/^\s*</.test(text) ? text.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ') : text)
    .replace(/\s+/g, ' ')
    .trim();
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
