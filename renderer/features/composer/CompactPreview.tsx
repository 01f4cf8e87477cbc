// `/compact` without words: what each rung would save and cost, before anything runs (K2). Enter runs it, Escape leaves.
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { RungPreview } from '../../../shared/model/memoryView';
import { focusComposerEvent, tellWindowSoon } from '../../focusEvents';
import { closeStrip, type HandPlace, runPass } from '../../state/compactionSlice';
import { composerState } from '../../state/composerSlice';
import { Button } from '../../ui/Button';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Compaction.module.css';
import { RungTable } from './RungTable';

export function CompactPreview({ place, rungs }: { place: HandPlace; rungs: readonly RungPreview[] | null }) {
  const { t } = useTranslation('compaction');
  const panel = useRef<HTMLElement>(null);
  const main = useRef<HTMLButtonElement>(null);
  const can = rungs?.some(({ why }) => why === null) ?? false;
  useEffect(() => {
    // Whoever writes on meanwhile keeps the box; the command itself may still be on its way out of it.
    if (/^(\/compact\s*)?$/i.test(composerState().draft.text)) panel.current?.focus();
  }, []);
  useEffect(() => {
    if (can && panel.current?.contains(document.activeElement)) main.current?.focus();
  }, [can]);
  const run = (rung: RungPreview['rung'] | null) => {
    void runPass(place, { type: 'compact', rung, focus: null });
    tellWindowSoon(focusComposerEvent);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    closeStrip(place);
  };
  return (
    <section ref={panel} tabIndex={-1} className={styles.preview} aria-label={t('preview')} onKeyDown={onKeyDown}>
      <p className={styles.text}>{rungs === null || can ? t('previewText') : t('nothingToSave')}</p>
      {rungs === null ? <Skeleton label={t('weighing')} /> : <RungTable rungs={rungs} onRun={run} />}
      <div className={styles.acts}>
        <Button onClick={() => closeStrip(place)}>{t('cancel')}</Button>
        <Button ref={main} look="primary" disabled={!can} onClick={() => run(null)}>
          {t('compact')}
        </Button>
      </div>
    </section>
  );
}
