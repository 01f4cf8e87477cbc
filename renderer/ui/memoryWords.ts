// A pass, a card and a reason in words, as the talk and the memory panel say them.
import { useTranslation } from 'react-i18next';
import { splitModel } from '../../shared/model/agent';
import { type FailureCode, failureCodes, makeFailure } from '../../shared/model/failure';
import type { PagesReceipt, Receipt } from '../../shared/model/memoryRecord';
import type { RungFailure, RunningPass } from '../../shared/model/memoryView';
import { useFailureTitle } from './FailureText';
import { formatNumber, sentenceGap } from './format';

/** Where another rung did something, that these had nothing to do is no news. */
export const isIdle = (reason: string): boolean => idle.has(reason);
const idle: ReadonlySet<string> = new Set(['nothing', 'already', 'off', 'noVision', 'blind', 'reader', 'short', 'notCheaper']);

/** Why a rung did nothing, by its code: one of the ladder's, or a failure's. */
export function useWhy(): (reason: string) => string {
  const { t } = useTranslation('memory');
  const title = useFailureTitle();
  return (reason) => {
    const code = failureCodes.find((known) => known === reason) as FailureCode | undefined;
    return code ? title(makeFailure(code, '')) : t([`why.${reason}`, 'why.unknown'], { reason });
  };
}

/** Which rungs failed and why, on one line; empty when none did. */
export function useReasons(): (failures: readonly RungFailure[]) => string {
  const { t } = useTranslation('memory');
  const why = useWhy();
  return (failures) => {
    const all = failures.map(({ rung, reason }) => t('rungFailed', { rung: t(`rung.${rung}`), why: why(reason) }));
    return all.length === 0 ? '' : all.reduce((before, next) => t('compaction:reasons', { before, next }));
  };
}

type Made = Pick<Receipt, 'method' | 'model' | 'identifiers' | 'tokensBefore' | 'tokensAfter'>;

export function useMadeWords() {
  const { t, i18n } = useTranslation('memory');
  const number = (value: number) => formatNumber(value, i18n.language);
  return {
    number,
    method: ({ method, model }: Made): string | null =>
      method ? t(`method.${method}`, { model: model ? splitModel(model).modelId : t('theModel') }) : null,
    kept: ({ identifiers }: Made): string | null =>
      identifiers && identifiers.total > 0 ? t('kept', { kept: number(identifiers.kept), total: number(identifiers.total) }) : null,
    keptLong: ({ identifiers }: Made): string | null =>
      identifiers && identifiers.total > 0 ? t('keptLong', { kept: number(identifiers.kept), total: number(identifiers.total) }) : null,
    shortly: ({ tokensBefore, tokensAfter }: Made): string => t('shortly', { before: number(tokensBefore), after: number(tokensAfter) }),
    change: ({ tokensBefore, tokensAfter }: Made): string =>
      t('change', {
        before: number(tokensBefore),
        after: number(tokensAfter),
        saved: number(Math.max(0, tokensBefore - tokensAfter)),
      }),
    pages: ({ count, characters, tokens, textTokens }: PagesReceipt): string =>
      t('pages:made', { count, characters: number(characters), tokens: number(tokens), text: number(textTokens) }),
  };
}

export function useRunningWords(): (pass: RunningPass) => string {
  const { t, i18n } = useTranslation('memory');
  return ({ rung, worker }) => {
    const at = t('runningLine', { what: t('running'), rung: t(`runningAt.${rung}`) });
    if (!worker) return at;
    return [at, worker.finishing ? t('workerFinishing') : t('workerStep', { step: worker.step })].join(sentenceGap(i18n.language));
  };
}
