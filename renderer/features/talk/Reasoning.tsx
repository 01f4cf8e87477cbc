// A model's reasoning, folded into one line; unfolds on demand and is only then laid out.
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText, openLink } from '../../state/talkActs';
import { useUnfolded } from '../../state/unfolded';
import { MarkdownView } from '../../text/MarkdownView';
import { cx } from '../../ui/cx';
import styles from './Reasoning.module.css';

/** `live` while more of it arrives; `since` is when the step began, for the time it took. */
type ReasoningProps = { place: string; text: string; live: boolean; since: number | undefined };
export function Reasoning({ place, text, live, since }: ReasoningProps) {
  const { t } = useTranslation('talk');
  const [open, setOpen] = useUnfolded(place);
  const took = useThinkingTime(live, since);
  if (!text.trim() && !live) return null;
  const label = live ? t('reasoning.live') : took === null ? t('reasoning.settled') : t('reasoning.seconds', { count: took });
  return (
    <div>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight aria-hidden="true" className={cx(styles.chevron, open && styles.open)} />
        <span>{label}</span>
        {live ? <span aria-hidden="true">…</span> : null}
      </button>
      {open ? (
        <div className={styles.thoughts} dir="auto">
          <MarkdownView text={text} streaming={live} onOpenLink={openLink} onCopy={copyText} />
        </div>
      ) : null}
    </div>
  );
}

/** Whole seconds from the step's start to the first word after the reasoning; null when nobody watched it. */
function useThinkingTime(live: boolean, since: number | undefined): number | null {
  const began = useRef<number | null>(null);
  const [took, setTook] = useState<number | null>(null);
  useEffect(() => {
    if (live) began.current ??= since ?? Date.now();
    else if (began.current !== null) setTook((known) => known ?? Math.max(1, Math.round((Date.now() - (began.current ?? 0)) / 1000)));
  }, [live, since]);
  return took;
}
