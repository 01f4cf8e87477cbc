// Identifiers of a text (M2): paths, names, ids, hashes, URLs, numbers, quoted text. What of them the rebuilt context has kept, and what a card
// has that its source has not. Linear in the length of the texts. Pure.
import type { IdentifierCheck } from '../../../shared/model/memoryRecord';
import { presentIn } from './presentIn';

/** Characters; what is longer is data. */
const longest = 200;
const longestQuote = 80;

const url = /\b[a-z][a-z0-9+.-]{1,10}:\/\/[^\s<>"'`|\\^{}[\]()（）「」«»“”]+/gi;
const quotes = [
  /"([^"\n]*)"/g,
  /(?<!`)`([^`\n]+)`(?!`)/g,
  /“([^“”\n]{1,80})”/g,
  /„([^„“”\n]{1,80})[“”]/g,
  /«([^«»\n]{1,80})»/g,
  /「([^「」\n]{1,80})」/g,
];
const units = 'ms|s|sec|min|h|B|kB|KB|MB|GB|TB|KiB|MiB|GiB|TiB|px|pt|em|rem|Hz|kHz|MHz|GHz|W|kW|V|mm|cm|m|km|g|kg|°C|tokens|bytes';
const number = String.raw`[$€£]?\d[\d.,_]*(?:\s?%|\s?(?:${units})\b|)(?![\p{L}\p{N}_/\\@#~+-])`;
const run = String.raw`(?:[A-Za-z]:(?=[\\/]))?[\p{L}\p{N}_.\-/\\@~#+]+(?:\(\))?`;
const words = new RegExp(String.raw`(?<![\p{L}\p{N}_.])(?:${number})|${run}`, 'gu');

/** Most words of prose, told at once. */
const plain = /^[A-Za-z]?[a-z]+[.,]?$/;

/** Distinct, as they stand in the text. */
export function identifiersIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const quote of quotes)
    for (const [, inner = ''] of text.matchAll(quote)) {
      const told = inner.trim();
      if (told.length >= 3 && inner.length <= longestQuote && /[\p{L}\p{N}]/u.test(told)) found.add(told);
    }
  const rest = text.replaceAll(url, (address) => {
    const id = trimEnd(address);
    if (id.length <= longest) found.add(id);
    return ' ';
  });
  for (const [word] of rest.matchAll(words)) {
    if (word.length > longest || plain.test(word)) continue;
    const id = trimmed(word);
    if (isIdentifier(id)) found.add(id);
  }
  return found;
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.,;:!?/-'.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** Without the marks of the sentence around it. */
function trimmed(word: string): string {
  return word.replace(/[.,\-/\\+#~@_]+$/, '').replace(/^(?:\.(?!\p{L}|\.?[/\\])|[,+\\]|-(?!-?\p{L})|_+(?![\p{L}\p{N}]))+/u, '');
}

function isIdentifier(id: string): boolean {
  if (id.length < 2 || !/[\p{L}\p{N}]/u.test(id)) return false;
  return isNumber(id) || isPath(id) || isName(id);
}

function isNumber(id: string): boolean {
  if (!/^[$€£]?\d/.test(id)) return false;
  const digits = id.replaceAll(/\D/g, '').length;
  const isAmount = /^[$€£\d.,_]+(?:\s?[%\p{L}°]+)?$/u.test(id) && /[%\p{L}°$€£]|\d[.,]\d/u.test(id) && !ordinal.test(id);
  return isAmount || (digits > 2 && /^[\d.,_\-/]+$/.test(id));
}

const ordinal = /^\d+(?:st|nd|rd|th)$/i;
const roots =
  /^(?:\.{1,2}|~|src|lib|app|test|tests|docs?|main|shared|bin|dist|build|packages?|scripts?|public|assets|e2e|renderer|etc|usr|var|home|tmp)$/i;

/** `and/or` is none: two plain words need something that words have not. */
function isPath(id: string): boolean {
  if (!/[\\/]/.test(id))
    return /^[\p{L}\p{N}_-]{2,}(?:\.[\p{L}\p{N}_-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}$/u.test(id) || /^\.[a-z][\w.-]+$/i.test(id);
  const segments = id.split(/[\\/]/).filter((segment) => segment !== '');
  if (segments.length === 0) return false;
  if (segments.length > 2 || /^(?:[\\/]|[A-Za-z]:)/.test(id)) return true;
  return roots.test(segments[0] ?? '') || segments.some((segment) => /[\d._@-]|\p{Ll}\p{Lu}/u.test(segment));
}

/** Ids and hashes (letters with digits), `camelCase`, `snake_case`, `call()`, `--flag`, `#12`, `@name`. */
function isName(id: string): boolean {
  if (/[\\/]/.test(id)) return false;
  if (/^--\p{L}/u.test(id) || /^#\d+$/.test(id) || /^@[\p{L}\p{N}_-]{3,}$/u.test(id)) return true;
  if (/\(\)$/.test(id) || /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(id) || /\p{Ll}\p{Lu}/u.test(id)) return true;
  return id.length >= 3 && /\p{L}/u.test(id) && /\d/.test(id) && !ordinal.test(id);
}

type Texts = string | readonly string[];
export type IdentifierArgs = {
  /** Everything the card stands for, results included, with what an earlier card it updates stands for. */
  source: Texts;
  /** User messages, the agent's own text, the files it changed. */
  own: Texts;
  /** The context as it will be sent. */
  rebuilt: Texts;
  card: string;
};

const mostSuspects = 100;

/** `suspect` in the order of the card, at most 100. */
export function checkIdentifiers({ source, own, rebuilt, card }: IdentifierArgs): IdentifierCheck {
  const wanted = new Set<string>();
  for (const text of listed(own)) for (const id of identifiersIn(text)) wanted.add(id);
  const inCard = identifiersIn(card);
  const known = presentIn(inCard, listed(source));
  return {
    kept: presentIn(wanted, listed(rebuilt)).size,
    total: wanted.size,
    suspect: [...inCard].filter((id) => !known.has(id)).slice(0, mostSuspects),
  };
}

function listed(texts: Texts): readonly string[] {
  return typeof texts === 'string' ? [texts] : texts;
}
