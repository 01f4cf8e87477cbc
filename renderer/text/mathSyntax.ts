// Where mathematics starts and ends in Markdown, written so that prices ("$5 and $10") stay prices.
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

export type MathToken = Tokens.Generic & { type: 'mathInline' | 'mathBlock'; tex: string; display: boolean };

export function isMath(token: { type: string }): token is MathToken {
  return token.type === 'mathInline' || token.type === 'mathBlock';
}

const longest = 2_000;

function closesAt(source: string, from: number, close: string): number {
  const limit = Math.min(source.length, from + longest);
  for (let at = from; at < limit; at++) {
    if (source.startsWith(close, at)) return at;
    if (source[at] === '\\') at++;
    else if (source[at] === '\n' && /^\n[ \t]*\n/.test(source.slice(at, at + 80))) return -1;
  }
  return -1;
}

const looksLikeMoney = /^\d[\d.,]*(?:\s*(?:[kmb]|bn|usd|eur|million|billion)\b)?[\s,;:)–—-]+(?:\p{L}{2,}|\d)/iu;
const looksLikeMath = /[\\^_={}<>+*/]/;

/** Index of the closing dollar of `$…$` at the start of `source`, or -1 when this dollar is only a dollar. */
export function closingDollar(source: string): number {
  if (source[0] !== '$' || source[1] === undefined || /[\s$]/.test(source[1])) return -1;
  const at = closesAt(source, 1, '$');
  if (at < 0 || /\s/.test(source[at - 1] ?? ' ') || /[\d$]/.test(source[at + 1] ?? '')) return -1;
  const body = source.slice(1, at);
  if (looksLikeMoney.test(body) && !looksLikeMath.test(body)) return -1;
  return at;
}

function inlineToken(raw: string, tex: string, display: boolean): MathToken {
  return { type: 'mathInline', raw, tex: tex.trim(), display };
}

function readInline(source: string): MathToken | undefined {
  if (source.startsWith('$$')) {
    const at = closesAt(source, 2, '$$');
    return at > 2 ? inlineToken(source.slice(0, at + 2), source.slice(2, at), true) : undefined;
  }
  if (source.startsWith('\\(') || source.startsWith('\\[')) {
    const at = closesAt(source, 2, source[1] === '(' ? '\\)' : '\\]');
    return at > 2 ? inlineToken(source.slice(0, at + 2), source.slice(2, at), source[1] === '[') : undefined;
  }
  const at = closingDollar(source);
  return at > 0 ? inlineToken(source.slice(0, at + 1), source.slice(1, at), false) : undefined;
}

const inlineStart = /\$|\\[([]/g;

export const mathInline: TokenizerAndRendererExtension = {
  name: 'mathInline',
  level: 'inline',
  start(source) {
    inlineStart.lastIndex = 0;
    for (let hit = inlineStart.exec(source); hit; hit = inlineStart.exec(source)) {
      if (hit.index === 0 || !/[\p{L}\p{N}$\\]/u.test(source[hit.index - 1] ?? '')) return hit.index;
    }
    return undefined;
  },
  tokenizer: readInline,
};

const blockMath = /^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n|\$\$)[\s\S])+)\$\$|\\\[((?:(?!\n[ \t]*\n|\\\])[\s\S])+)\\\])[ \t]*(?:\n+|$)/;

export const mathBlock: TokenizerAndRendererExtension = {
  name: 'mathBlock',
  level: 'block',
  start(source) {
    // A paragraph never reaches past a blank line, so looking further would make every block cost the whole text.
    const end = source.indexOf('\n\n');
    const near = end < 0 ? source : source.slice(0, end);
    const at = near.search(/\n {0,3}(?:\$\$|\\\[)/);
    return at < 0 ? undefined : at + 1;
  },
  tokenizer(source): MathToken | undefined {
    if (!/^ {0,3}(?:\$\$|\\\[)/.test(source)) return undefined;
    const hit = blockMath.exec(source);
    const tex = (hit?.[1] ?? hit?.[2] ?? '').trim();
    return hit && tex ? { type: 'mathBlock', raw: hit[0], tex, display: true } : undefined;
  },
};
