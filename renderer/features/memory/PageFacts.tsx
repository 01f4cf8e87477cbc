// Pages in numbers: for which models, how large, what they cost beside their text, and what of the text is not on them (S2 to S5).
import { useTranslation } from 'react-i18next';
import type { MemoryPage, PagesFrame, PagesReceipt } from '../../../shared/model/memoryRecord';
import { formatNumber } from '../../ui/format';
import { readerName } from '../../ui/pages/readerNames';
import styles from './Pages.module.css';

type PageFactsProps = { pages: readonly MemoryPage[]; frame: PagesFrame | undefined; receipt: PagesReceipt | undefined };

export function PageFacts({ pages, frame, receipt }: PageFactsProps) {
  const { t, i18n } = useTranslation('pages');
  const number = (value: number) => formatNumber(value, i18n.language);
  const size = t('size', {
    width: number(Math.max(...pages.map(({ width }) => width))),
    height: number(Math.max(...pages.map(({ height }) => height))),
  });
  const facts: [term: string, text: string][] = [
    ...(frame ? [[t('fact.reader'), readerName(frame.family) ?? t('otherReaders')] as [string, string]] : []),
    [t('fact.size'), t('sizeOf', { count: pages.length, size })],
  ];
  if (receipt) {
    const { characters, tokens, textTokens, missing, dropped, unprintable } = receipt;
    const saved = textTokens > 0 ? 1 - tokens / textTokens : 0;
    const price = { tokens: number(tokens), text: number(textTokens) };
    const percent = formatNumber(saved, i18n.language, { style: 'percent' });
    facts.push(
      [t('fact.characters'), t('characters', { count: characters })],
      [t('fact.price'), saved > 0 ? t('priceSaved', { ...price, percent }) : t('price', price)],
    );
    if (missing > 0) facts.push([t('fact.missing'), t('missing', { count: missing })]);
    if (dropped > 0) facts.push([t('fact.dropped'), t('dropped', { count: dropped })]);
    if (unprintable > 0) facts.push([t('fact.unprintable'), t('unprintable', { count: unprintable })]);
  }
  return (
    <dl className={styles.facts} aria-label={t('facts')}>
      {facts.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
