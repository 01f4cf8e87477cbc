// What would be sent next, block by block, and how far it is from the lines and the window (M7, L6).
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemoryView, PlanBlock } from '../../../shared/model/memoryView';
import { uncoverTalk } from '../../state/layoutSlice';
import { goToOrigin } from '../../state/talkActs';
import { Button } from '../../ui/Button';
import { formatNumber } from '../../ui/format';
import styles from './Memory.module.css';
import planStyles from './Plan.module.css';
import { PlanBar } from './PlanBar';

/** Blocks drawn before a person asks for the rest. */
const firstShown = 60;

export function Plan({ view }: { view: MemoryView }) {
  const { t, i18n } = useTranslation('memory');
  const [all, setAll] = useState(false);
  const { plan, tokens, window } = view;
  const number = (value: number) => formatNumber(value, i18n.language);
  if (plan.length === 0) return null;
  const shown = all || plan.length <= firstShown + 1 ? plan : [...plan.slice(0, firstShown - 1), ...plan.slice(-1)];
  const largest = Math.max(1, ...plan.map((block) => block.tokens));
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>{t('plan')}</h2>
      <p className={planStyles.sum}>
        {window === null
          ? t('planSumUnknown', { tokens: number(tokens) })
          : t('planSum', { tokens: number(tokens), window: number(window), percent: Math.round((100 * tokens) / window) })}
      </p>
      <PlanBar view={view} />
      <p className={styles.small}>{t(view.reported ? 'reported' : 'estimated')}</p>
      <ol className={styles.list} aria-label={t('plan')}>
        {shown.map((block, at) => (
          <li key={block.messageId ?? `${block.name} ${at}`}>
            <Block block={block} largest={largest} />
          </li>
        ))}
      </ol>
      {shown.length < plan.length ? (
        <Button look="plain" size="small" className={styles.more} onClick={() => setAll(true)}>
          {t('showAll', { shown: number(plan.length) })}
        </Button>
      ) : null}
    </section>
  );
}

function Block({ block: { name, tokens, messageId, excerpt, lean }, largest }: { block: PlanBlock; largest: number }) {
  const { t, i18n } = useTranslation('memory');
  const words = t(`block.${name}`);
  const shown = formatNumber(tokens, i18n.language);
  const content = (
    <>
      <span className={planStyles.blockName}>{words}</span>
      <span className={planStyles.excerpt} dir="auto">
        {excerpt}
      </span>
      {lean ? <span className={planStyles.lean}>{t('lean')}</span> : null}
      <span className={styles.number}>{shown}</span>
      <i className={planStyles.bar} style={{ width: `${(100 * tokens) / largest}%` }} data-block={name} aria-hidden="true" />
    </>
  );
  if (!messageId) return <div className={planStyles.block}>{content}</div>;
  return (
    <button
      type="button"
      className={planStyles.block}
      aria-label={[t('toBlock', { name: words, tokens: shown }), ...(lean ? [t('lean')] : [])].join(t('ui:comma'))}
      onClick={() => {
        uncoverTalk();
        void goToOrigin(messageId);
      }}
    >
      {content}
    </button>
  );
}
