// What came of a pass by hand, in one sentence (K2, K3).
import { useTranslation } from 'react-i18next';
import type { PassEnd } from '../../../shared/model/memoryView';
import { namedRung, type PassAsk, type Strip } from '../../state/compactionSlice';
import { formatNumber, formatSeries, sentenceGap } from '../../ui/format';
import { useMadeWords, useWhy } from '../../ui/memoryWords';

type Made = Extract<Strip, { type: 'turned' }>['made'];

export function useEndWords() {
  const { t, i18n } = useTranslation('compaction');
  const whyNot = useWhy();
  const { pages } = useMadeWords();
  const number = (value: number) => formatNumber(value, i18n.language);
  const counted = (count: number) => ({ count, number: number(count) });

  const ofMade = (ask: PassAsk, { receipt, elided, droppedImages }: Made): string => {
    const { tokensBefore, tokensAfter } = receipt;
    const saved = number(Math.max(0, tokensBefore - tokensAfter));
    if (ask.type === 'compact') {
      const done = t('done', { before: number(tokensBefore), after: number(tokensAfter), saved });
      return receipt.pages ? t('pages:sentence', { done, made: pages(receipt.pages) }) : done;
    }
    return t('shaken', { results: t('results', counted(elided)), images: t('images', counted(droppedImages)), saved });
  };
  const ended = (ask: PassAsk, end: PassEnd, why: string | null): string => {
    if (end.type === 'done' && end.receipt.record) return ofMade(ask, end.receipt.record);
    const rung = namedRung(ask);
    const nothing = ask.type === 'shake' ? t('nothingToShake') : t('nothing');
    if (why !== null && rung !== null)
      return `${nothing}${sentenceGap(i18n.language)}${t('memory:rungFailed', { rung: t(`rungs.${rung}`), why: whyNot(why) })}`;
    return ask.type === 'compact' && end.type === 'already' ? t('already') : nothing;
  };
  const turned = ({ folded, elided, droppedImages }: Made, isUndone: boolean, tokens: number): string => {
    if (!isUndone) return t('redone', { tokens: number(tokens) });
    const back = [
      folded > 0 ? t('back.messages', counted(folded)) : null,
      elided > 0 ? t('back.results', counted(elided)) : null,
      droppedImages > 0 ? t('back.images', counted(droppedImages)) : null,
    ].filter((part) => part !== null);
    return t('undone', {
      what: back.length > 0 ? formatSeries(back, i18n.language, 'conjunction') : t('back.text'),
      tokens: number(tokens),
    });
  };
  return Object.assign(ended, { turned });
}
