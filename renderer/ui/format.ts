// Numbers as a person of this language writes them.
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(language, options);
  formats.set(key, made);
  return made;
}

export function formatNumber(value: number, language: string, options: Intl.NumberFormatOptions = {}): string {
  return formatOf(language, options).format(value);
}

/** 52,000 → 52K. Grouped, where a language shortens from ten thousand on. */
export function formatCompact(value: number, language: string): string {
  return formatOf(language, { notation: 'compact', maximumFractionDigits: 1, useGrouping: true }).format(value);
}

/** One after the other, with the comma of the language and no last "and". */
export function formatList(items: readonly string[], language: string): string {
  const known = lists.get(language) ?? new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' });
  lists.set(language, known);
  return known.format(items);
}
const lists = new Map<string, Intl.ListFormat>();

/** With the last "and" or "or". Between Chinese characters and Latin letters or digits stands a space. */
export function formatSeries(items: readonly string[], language: string, type: 'conjunction' | 'disjunction'): string {
  const parts = new Intl.ListFormat(language, { type }).formatToParts(items);
  const gap = (beside = '') => (/[\p{Script=Latin}\d]/u.test(beside) ? ' ' : '');
  return parts
    .map(({ type: kind, value }, at) => {
      if (kind !== 'literal' || !/^\p{Script=Han}$/u.test(value)) return value;
      return `${gap(parts[at - 1]?.value.at(-1))}${value}${gap(parts[at + 1]?.value[0])}`;
    })
    .join('');
}

/** What stands between two sentences: nothing in Chinese and Japanese. */
export const sentenceGap = (language: string): string => (/^(?:zh|ja)\b/.test(language) ? '' : ' ');

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Bytes in steps of 1,024 with the unit of the language. */
export function formatBytes(bytes: number, language: string): string {
  const at = Math.min(units.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const unit = units[at] ?? 'byte';
  return formatOf(language, {
    style: 'unit',
    unit,
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: at > 1 ? 1 : 0,
  }).format(bytes / 1024 ** at);
}
