// P4: the ways servers say that a request is too large, as data, with the true window where the text names it.
// Facts: compaction research 1.10. Tokens and bytes are separate: one asks for a smaller context, the other for fewer or smaller pictures.

export type Overflow = {
  tokens: boolean;
  bytes: boolean;
  /** The window in tokens as the server says it is. */
  window?: number | undefined;
  /** Tokens of the request as the server counted them, without the room for the answer where it tells them apart. */
  size?: number | undefined;
  /** The largest body in bytes as the server says it is. */
  bodyLimit?: number | undefined;
};

const tokenTexts: readonly RegExp[] = [
  /prompt is too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /input is too long for requested model/i,
  /maximum context length is [\d,]+/i,
  /context_length_exceeded|context_too_large|exceed_context_size_error|model_context_window_exceeded/i,
  /exceeds? the context window/i,
  /input token count \(?[\d,]+\)? exceeds/i,
  /maximum (?:number of tokens allowed|prompt length is [\d,]+)/i,
  /reduce the length of (?:the messages|either one|your prompt|the prompt)/i,
  /too large for model with [\d,]+ maximum context length/i,
  /prompt token count of [\d,]+ exceeds/i,
  /exceeds the limit of [\d,]+(?! ?(?:bytes|[kmg]i?b))/i,
  /context window exceeds limit|exceeded model token limit/i,
  /exceeds? the available context size/i,
  /context size has been exceeded/i,
  /greater than the context length/i,
  /context the overflows|loaded with context length of only/i,
  /cannot truncate prompt with n_keep/i,
  /does not fit in (?:the )?context length|context length only supports/i,
  /too many tokens|tokens? (?:in the )?(?:prompt|request) exceeds?/i,
];

const byteTexts: readonly RegExp[] = [
  /request_too_large|request exceeds the maximum size/i,
  /(?:request|payload|body|entity|content)(?: entity| body| payload)?(?: size)? (?:is )?too large/i,
  /exceeds the (?:maximum|limit) (?:of|size|allowed)[^.]{0,40}(?:bytes|[kmg]i?b)\b/i,
];

/** Where a window's number stands; the first match wins. Groups hold the number. */
const windowTexts: readonly RegExp[] = [
  /tokens? > ([\d,]+) maximum/i,
  /exceed context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  /maximum context length is ([\d,]+)/i,
  /maximum prompt length is ([\d,]+)/i,
  /maximum number of tokens allowed \(([\d,]+)\)/i,
  /with ([\d,]+) maximum context length/i,
  /available context size \(([\d,]+) tokens\)/i,
  /"?n_ctx\\?"?\)?\s*[:=(]+\s*([\d,]+)/i,
  /context length only supports ([\d,]+)/i,
  /context length of only ([\d,]+)/i,
  /exceeds the limit of ([\d,]+)/i,
];

/** Where the size of the request stands; the first match wins. */
const sizeTexts: readonly RegExp[] = [
  /prompt is too long: ([\d,]+) tokens/i,
  /exceed context limit: ([\d,]+) \+/i,
  /\(([\d,]+) (?:of text input|in the messages)/i,
  /= ([\d,]+) messages \+/i,
  /input token count \(?([\d,]+)/i,
  /(?:request|prompt|input) (?:contains|has) ([\d,]+)/i,
  /prompt token count of ([\d,]+)/i,
  /request \(([\d,]+) tokens\)/i,
  /keep the first ([\d,]+) tokens/i,
  /n_keep:? \(?([\d,]+)/i,
  /you requested (?:about )?([\d,]+) tokens/i,
];

/** `text` is everything the server said, body and code flattened. A 429 must have been excluded before. */
export function readOverflow(text: string, status: number | undefined): Overflow | null {
  const said = tokenTexts.some((pattern) => pattern.test(text));
  const bytes = status === 413 || byteTexts.some((pattern) => pattern.test(text));
  const bare = status === 413 && text.trim() === '';
  const tokens = said || bare;
  if (!tokens && !bytes) return null;
  return {
    tokens,
    bytes,
    window: tokens ? readNumber(text, windowTexts) : undefined,
    size: tokens ? readNumber(text, sizeTexts) : undefined,
    bodyLimit: bytes ? readBodyLimit(text) : undefined,
  };
}

function readNumber(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    const value = found ? Number(found.replaceAll(',', '')) : Number.NaN;
    if (Number.isSafeInteger(value) && value > 0) return value;
  }
  return undefined;
}

const bodyText = /(?:max(?:imum)?|limit|exceeds?|allowed|at most|up to)[^\d]{0,40}(\d[\d,]*(?:\.\d+)?) ?(bytes|[kmg]i?b)\b/i;
/** Without an `i` the smaller is meant where both are used. */
const units: Record<string, number> = { bytes: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 };

function readBodyLimit(text: string): number | undefined {
  const [, number = '', unit = ''] = bodyText.exec(text) ?? [];
  const value = Math.floor(Number(number.replaceAll(',', '')) * (units[unit.toLowerCase()] ?? Number.NaN));
  return number !== '' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
