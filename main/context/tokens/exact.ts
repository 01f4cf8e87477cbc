// Exact counts by the tokenizers that OpenAI publishes. Loaded when first asked, in a thread of its own (main/workers/tokens.ts): it takes some
// tenths of a second and 65 MB.
import { plainId } from '../../lib/plainId';

/** `o200k` of OpenAI's models since GPT-4o, `cl100k` of those before. */
export type Encoding = 'o200k' | 'cl100k';
export type CountText = (text: string) => number;

/** Null for models of others: their tokenizers are not published, or differ by version; an estimate scaled by reported use is closer (L7). */
export function encodingOf(modelId: string): Encoding | null {
  const id = plainId(modelId);
  if (/^(?:gpt-4(?!o|[.-]?[15](?!\d))|gpt-3|text-embedding)/.test(id)) return 'cl100k';
  return /^(?:gpt-|chatgpt|o\d|codex)/.test(id) ? 'o200k' : null;
}

/** Nothing in a text is special: `<|endoftext|>` is counted as the words it is. */
const asWords = { disallowedSpecial: new Set<string>() };

export async function loadCounter(encoding: Encoding): Promise<CountText> {
  const { countTokens } =
    encoding === 'o200k' ? await import('gpt-tokenizer/encoding/o200k_base') : await import('gpt-tokenizer/encoding/cl100k_base');
  return (text) => pieces(text).reduce((sum, piece) => sum + countTokens(piece, asWords), 0);
}

/** Characters in a row of one kind; no word is as long, and merging takes the square of the length. */
const longest = 1024;

/** The text as it is, unless it holds a run that a tokenizer might take as one word; each cut may be a token too many. */
export function pieces(text: string): string[] {
  const cut: string[] = [];
  let from = 0;
  let start = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind !== before) start = at;
    before = kind;
    // Between the halves of a surrogate pair nothing is cut.
    if (at - start < longest || (code >= 0xdc00 && code < 0xe000)) continue;
    cut.push(text.slice(from, at));
    from = at;
    start = at;
  }
  cut.push(text.slice(from));
  return cut;
}

/** Whitespace, signs or letters; everything beyond ASCII may be a letter. */
function kindOf(code: number): number {
  if (code <= 0x20) return 1;
  if (code >= 0x80) return 2;
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) ? 2 : 3;
}
