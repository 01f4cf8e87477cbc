// What a command did, or why it did nothing: one line over the box until the next keystroke or click. The text of a refused one stays in the box.
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { commandNamed } from '../../../shared/commands';
import type { Outcome } from '../../state/commandOutcome';
import { clearOutcome, useOutcome } from '../../state/commandSlice';
import { useDraftKey } from '../../state/composerSlice';
import { FailureText } from '../../ui/FailureText';
import { formatList, sentenceGap } from '../../ui/format';
import styles from './Composer.module.css';

const namesShown = 8;
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

export function CommandOutcome() {
  const { t } = useTranslation('commands');
  const outcome = useOutcome(useDraftKey());
  if (!outcome) return null;
  if (outcome.type === 'done') return <Done text={t(`done.${outcome.what}`, outcome.values)} />;
  return (
    <div className={styles.failure} role="alert">
      <div className={styles.refusal}>
        <WhyNot outcome={outcome} />
      </div>
    </div>
  );
}

/** It has been read when the person goes on to something else, wherever that is. */
function Done({ text }: { text: string }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const options = { capture: true, passive: true };
    const onKey = (event: KeyboardEvent) => {
      if (!modifiers.has(event.key)) clearOutcome();
    };
    const onPress = (event: PointerEvent) => {
      if (!(event.target instanceof Node && line.current?.contains(event.target))) clearOutcome();
    };
    window.addEventListener('keydown', onKey, options);
    window.addEventListener('pointerdown', onPress, options);
    return () => {
      window.removeEventListener('keydown', onKey, options);
      window.removeEventListener('pointerdown', onPress, options);
    };
  }, []);
  return (
    <p ref={line} className={styles.hint} role="status">
      {text}
    </p>
  );
}

export function WhyNot({ outcome }: { outcome: Exclude<Outcome, { type: 'done' }> }) {
  switch (outcome.type) {
    case 'failed':
      return <FailureText failure={outcome.failure} />;
    case 'refused':
      return <Refused outcome={outcome} />;
    case 'wrong':
      return <Wrong error={outcome.error} />;
  }
}

function Refused({ outcome: { what, values, meant, known } }: { outcome: Extract<Outcome, { type: 'refused' }> }) {
  const { t, i18n } = useTranslation('commands');
  const gap = sentenceGap(i18n.language);
  return (
    <>
      <strong>{t(`refused.${what}`, values)}</strong>
      {gap}
      {meant ? `${t('nearest', { nearest: meant })}${gap}` : null}
      {known ? <Known names={known} /> : null}
    </>
  );
}

function Known({ names }: { names: readonly string[] }) {
  const { t, i18n } = useTranslation('commands');
  if (names.length === 0) return t('knownNone');
  const shown = formatList(names.slice(0, namesShown), i18n.language);
  const more = names.length - namesShown;
  return t('known', { names: more > 0 ? t('more', { names: shown, count: more }) : shown });
}

function Wrong({ error }: { error: Extract<Outcome, { type: 'wrong' }>['error'] }) {
  const { t, i18n } = useTranslation('commands');
  const gap = sentenceGap(i18n.language);
  if (error.type === 'unknown') {
    return (
      <>
        <strong>{t('wrong.unknown', { typed: error.typed })}</strong>
        {gap}
        {error.nearest ? `${t('nearest', { nearest: `/${error.nearest}` })}${gap}` : null}
        {t('wrong.unknownNext')}
      </>
    );
  }
  const usage = `/${error.name} ${commandNamed(error.name)?.pattern ?? ''}`.trim();
  return <strong>{t(`wrong.${error.type}`, { usage })}</strong>;
}
