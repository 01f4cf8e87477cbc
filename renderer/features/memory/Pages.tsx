// Pages beside what is sent with them: what they are, for whom they were made and what they save, the texts around them folded, and the pages themselves.
import { useTranslation } from 'react-i18next';
import type { MemoryBody, PagesReceipt } from '../../../shared/model/memoryRecord';
import { useNextAgent } from '../../state/nextAgent';
import { copyText } from '../../state/talkActs';
import { sentenceGap } from '../../ui/format';
import { PlainOutput } from '../../ui/PlainOutput';
import { PageGrid } from '../../ui/pages/PageGrid';
import { PageFacts } from './PageFacts';
import styles from './Pages.module.css';

type PagesProps = { body: MemoryBody; receipt: PagesReceipt | undefined };

export function Pages({ body: { pages, frame }, receipt }: PagesProps) {
  const { t, i18n } = useTranslation('pages');
  const { demo } = useNextAgent();
  return (
    <div className={styles.pages}>
      <p className={styles.what}>
        {t('what')}
        {demo ? `${sentenceGap(i18n.language)}${t('whatDemo')}` : null}
      </p>
      <PageFacts pages={pages} frame={frame} receipt={receipt} />
      <Folded title={t('legend')} text={frame?.legend} />
      <Folded title={t('head')} text={frame?.head} />
      <PageGrid pages={pages} onCopy={copyText} />
      <Folded title={t('tail')} text={frame?.tail} />
    </div>
  );
}

function Folded({ title, text }: { title: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <details className={styles.folded}>
      <summary>{title}</summary>
      <PlainOutput text={text} label={title} />
    </details>
  );
}
