// What a row says: on screen, and to a screen reader.
import type { TFunction } from 'i18next';
import type { AgentId } from '../../../shared/model/ids';
import type { OutlineTurn } from '../../../shared/model/outline';
import { plainWords } from '../../../shared/text/plainWords';
import type { OutlineRow } from '../../../shared/tree/outlineRows';
import { formatList, formatNumber } from '../../ui/format';

export type Words = { t: TFunction<'navigator'>; language: string; agentName(id: AgentId | undefined, model: string | undefined): string };

export function turnText(turn: OutlineTurn, { t, agentName }: Words): string {
  const text = plainWords(turn.text);
  if (turn.role === 'digest') return text === '' ? t('digest') : t('ui:named', { name: t('digest'), value: text });
  if (turn.role === 'assistant') {
    const agent = agentName(turn.agentId, turn.model);
    return text === '' ? t('answer', { agent }) : t('ui:named', { name: agent, value: text });
  }
  return text === '' ? t('noWords') : text;
}

export function rowText(row: OutlineRow, words: Words): string {
  if (row.kind === 'turn') return turnText(row.turn, words);
  const { t } = words;
  const count = row.to - row.from;
  return t('turns', { count, shown: formatNumber(count, words.language) });
}

/** All that is drawn, in words. */
export function rowName(row: OutlineRow, words: Words): string {
  if (row.kind === 'gap') return rowText(row, words);
  const { t, language } = words;
  const folded = row.fold === 'folded' ? [t('branch', { count: row.turns, shown: formatNumber(row.turns, language) })] : [];
  return formatList([rowText(row, words), ...turnMarks(row, words), ...folded], language);
}

/** `runs`: something does below it, out of sight. */
export function turnMarks({ turn, isTip, runs = false }: { turn: OutlineTurn; isTip: boolean; runs?: boolean }, { t }: Words): string[] {
  return [
    isTip && t('tip'),
    turn.label !== undefined && t('label', { label: turn.label }),
    turn.checkpoint !== undefined && t('checkpoint', { label: turn.checkpoint }),
    turn.pinned && t('pinned'),
    (turn.state ?? (runs ? 'running' : undefined)) && t(`state.${turn.state ?? 'running'}`),
  ].filter((part) => typeof part === 'string');
}

const day = 86_400_000;
/** The hour of today, the day of this year, else month and year. */
export function rowTime(at: number, now: number, language: string): string {
  const date = new Date(at);
  const today = new Date(now);
  const options: Intl.DateTimeFormatOptions =
    now - at < day && date.getDate() === today.getDate()
      ? { timeStyle: 'short' }
      : date.getFullYear() === today.getFullYear()
        ? { day: 'numeric', month: 'short' }
        : { month: 'short', year: 'numeric' };
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format.format(date);
}
const formats = new Map<string, Intl.DateTimeFormat>();
