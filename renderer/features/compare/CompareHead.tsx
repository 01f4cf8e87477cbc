// What is compared: the message both branches share last, and each branch by its name, its agent, its last time and its length.
import { useTranslation } from 'react-i18next';
import type { Comparison, SideName } from '../../../shared/model/comparison';
import { plainWords } from '../../../shared/text/plainWords';
import { useTipId } from '../../state/talkSlice';
import { Badge } from '../../ui/Badge';
import { formatNumber } from '../../ui/format';
import styles from './Compare.module.css';
import { SideBadge } from './SideBadge';
import { sides, timeOf, useBranchName, useNameOf } from './words';

export function CompareHead({ comparison }: { comparison: Comparison }) {
  return (
    <div className={styles.heads}>
      {sides.map((side) => (
        <BranchHead key={side} side={side} comparison={comparison} />
      ))}
    </div>
  );
}

function BranchHead({ side, comparison }: { side: SideName; comparison: Comparison }) {
  const { t, i18n } = useTranslation('compare');
  const nameOf = useNameOf();
  const branchName = useBranchName();
  const tipId = useTipId();
  const branch = comparison[side];
  const count = branch.roles.length;
  const name = branchName(branch);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups words about a branch
    <div className={styles.head} role="group" aria-label={t('branch', { side: t(`side.${side}`) })}>
      <SideBadge side={side} />
      <div className={styles.headWords}>
        <div className={styles.nameLine}>
          <h2 className={styles.name} dir="auto" data-tooltip={name.length > 40 ? name : undefined}>
            {name}
          </h2>
          {branch.endId === tipId ? <Badge tone="accent">{t('current')}</Badge> : null}
        </div>
        <p className={styles.facts}>
          {branch.agentId ? <bdi>{nameOf(branch.agentId)}</bdi> : null}
          <time dateTime={new Date(branch.endedAt).toISOString()}>{timeOf(branch.endedAt, i18n.language)}</time>
          <span>{t('messages', { count, shown: formatNumber(count, i18n.language) })}</span>
        </p>
      </div>
    </div>
  );
}

export function SharedLine({ comparison: { shared } }: { comparison: Comparison }) {
  const { t } = useTranslation('compare');
  const nameOf = useNameOf();
  if (!shared) return <p className={styles.shared}>{t('sharedNone')}</p>;
  const text = plainWords(shared.text) || t('noWords');
  return (
    <p className={styles.shared} dir="auto">
      {shared.role === 'assistant' ? t('sameUpToAnswer', { agent: nameOf(shared.agentId), text }) : t('sameUpTo', { text })}
    </p>
  );
}
