// How full the next request is: a ring with the numbers, and a bar of named blocks behind it.
import { useTranslation } from 'react-i18next';
import type { ContextView } from '../../../shared/model/contextView';
import { useContextView } from '../../state/composerSlice';
import { cx } from '../../ui/cx';
import { formatCompact, formatNumber } from '../../ui/format';
import { Popover } from '../../ui/Popover';
import { useHoverOpen } from '../../ui/useHoverOpen';
import { ContextBlocks } from './ContextBlocks';
import styles from './ContextRing.module.css';
import { fillOf } from './contextFill';

export function ContextRing() {
  const { t } = useTranslation('composer');
  const view = useContextView();
  const { isOpen, byHover, setOpen, onClick, hover } = useHoverOpen();
  if (!view) return null;
  return (
    <span className={cx(styles.ring, styles[fillOf(view)])} {...hover}>
      <Gauge view={view} />
      <Popover
        label={t('context.button')}
        side="top"
        align="end"
        open={isOpen}
        onOpenChange={setOpen}
        keepsFocus={byHover}
        trigger={
          <button type="button" className={styles.button} aria-label={t('context.button')} aria-expanded={isOpen} onClick={onClick} />
        }
      >
        <ContextBlocks view={view} />
      </Popover>
    </span>
  );
}

const radius = 8;
const around = 2 * Math.PI * radius;

/** Where an automatic pass runs. */
function Tick({ share }: { share: number }) {
  return <line x1="10" x2="10" y1="0.2" y2="3.8" className={styles.tick} transform={`rotate(${360 * share} 10 10)`} />;
}

/** Beside the button, not in it: what a button holds is hidden from screen readers. */
function Gauge({ view }: { view: ContextView }) {
  const { t, i18n } = useTranslation('composer');
  const { tokens, window, lines } = view;
  const share = window === null ? 0 : Math.min(1, tokens / window);
  const number = (value: number) => formatNumber(value, i18n.language);
  const text =
    window === null
      ? t('context.textUnknown', { tokens: number(tokens) })
      : t('context.text', { tokens: number(tokens), window: number(window), percent: Math.round((100 * tokens) / window) });
  const short = (value: number) => formatCompact(value, i18n.language);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element cannot be drawn as a ring */}
      <span
        role="meter"
        aria-label={t('context.button')}
        aria-valuemin={0}
        aria-valuemax={window ?? Math.max(1, tokens)}
        aria-valuenow={window === null ? tokens : Math.min(tokens, window)}
        aria-valuetext={text}
        className={styles.gauge}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r={radius} className={styles.track} strokeDasharray={window === null ? '2.4 2.6' : undefined} />
          <circle
            cx="10"
            cy="10"
            r={radius}
            className={styles.value}
            strokeDasharray={`${share * around} ${around}`}
            transform="rotate(-90 10 10)"
          />
          {[lines.threshold, lines.requestThreshold].map((line) =>
            line === null || window === null ? null : <Tick key={line} share={Math.min(1, line / window)} />,
          )}
        </svg>
      </span>
      <span aria-hidden="true" className={styles.numbers}>
        {window === null ? short(tokens) : t('context.of', { tokens: short(tokens), window: short(window) })}
      </span>
    </>
  );
}
