// `‹ 2 / 3 ›`: the versions of a message, right where it stands (T6).
import { ChevronLeft, ChevronRight, Columns2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessageId } from '../../../shared/model/ids';
import { compareVersions } from '../../state/compareSlice';
import { goToSibling } from '../../state/talkActs';
import { cx } from '../../ui/cx';
import { IconButton } from '../../ui/IconButton';
import { useList } from './listContext';
import styles from './Message.module.css';

type SwitcherProps = {
  parentId: MessageId | null;
  /** null for the running or failed answer. */
  from: MessageId | null;
  depth: number;
  version: number;
  versions: number;
};

export function VersionSwitcher({ parentId, from, depth, version, versions }: SwitcherProps) {
  const { t } = useTranslation('talk');
  const { focusDepth } = useList();
  if (versions < 2) return null;
  const other = version > 1 ? 'previous' : 'next';
  const go = (direction: 'previous' | 'next') => async () => {
    await goToSibling({ parentId, from, depth, direction });
    focusDepth(depth, direction);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups two buttons and the place between them
    <span className={styles.versions} role="group" aria-label={t('versions.label')}>
      <IconButton
        label={t('versions.previous')}
        size="small"
        className={styles.step}
        data-act="previous"
        disabled={version <= 1}
        onClick={() => void go('previous')()}
      >
        <ChevronLeft aria-hidden="true" />
      </IconButton>
      <span className={styles.place}>{t('versions.place', { version, versions })}</span>
      <IconButton
        label={t('versions.next')}
        size="small"
        className={styles.step}
        data-act="next"
        disabled={version >= versions}
        onClick={() => void go('next')()}
      >
        <ChevronRight aria-hidden="true" />
      </IconButton>
      {from ? (
        <IconButton
          label={t(other === 'previous' ? 'versions.comparePrevious' : 'versions.compareNext')}
          size="small"
          className={cx(styles.step, styles.compare)}
          onClick={() => void compareVersions(from, other)}
        >
          <Columns2 aria-hidden="true" />
        </IconButton>
      ) : null}
    </span>
  );
}
