// A number of the ladder as it is said: with its unit, and what is in force of it for the present agent (L21).
import { useTranslation } from 'react-i18next';
import type { CompactionNumbers, CompactionSettings, NumbersInForce } from '../../../shared/model/compaction';
import { formatNumber } from '../../ui/format';
import { type NumberField, type NumberKind, typedOf } from './compactionDraft';

/** `chosen`: of all settings, before the caps. `agents`: the present agent's own. */
export type InForce = { numbers: NumbersInForce; chosen: CompactionNumbers; agents: CompactionSettings; agentName: string };
type Value = CompactionNumbers[keyof CompactionNumbers];

export function useNumberWords() {
  const { t, i18n } = useTranslation('contextSettings');
  const number = (value: number) => formatNumber(value, i18n.language);
  const percent = (share: number) => t('percent', { number: number(Math.round(share * 10_000) / 100) });

  const value = ({ kind }: NumberField, one: Value): string => {
    if (one === null) return t('off');
    if (typeof one === 'string') return t(`mode.${one}`);
    if (kind === 'percent' || (kind === 'threshold' && one <= 1)) return percent(one);
    if (kind === 'bytes') return t('size', { number: number(one / 1024) });
    return kind === 'count' ? number(one) : t('tokens', { number: number(one) });
  };
  const unitOf = (kind: NumberKind): string => {
    switch (kind) {
      case 'tokens':
      case 'bytes':
      case 'percent':
        return t(`unit.${kind}`);
      default:
        return '';
    }
  };
  /** In the unit of the field. */
  const plain = (field: NumberField, one: Value): string => {
    const typed = typedOf(field, one);
    return Number.isFinite(Number(typed)) ? number(Number(typed)) : typed;
  };
  /** Null where the number that was chosen holds as it is. */
  const inForce = (field: NumberField, { numbers, chosen, agents, agentName }: InForce): string | null => {
    const { key } = field;
    const now = numbers[key];
    const values = {
      agent: agentName,
      value: now === null ? '' : value(field, now),
      window: numbers.window === null ? '' : number(numbers.window),
    };
    if (field.kind === 'threshold') return now === null ? null : t('lineAt', values);
    if (now !== chosen[key]) return t('capped', values);
    return agents[key] === undefined ? null : t('agentsOwn', values);
  };
  return { value, unitOf, plain, inForce };
}
