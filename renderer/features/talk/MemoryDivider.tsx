// At the place of a memory: a thin rule that says what the agent has instead of what stands above; nothing above is hidden (L20).
import { ChevronRight, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryMark } from '../../../shared/model/memoryView';
import { useWorkspace } from '../../state/appSlice';
import { setAreaOpen, setPanelTab } from '../../state/layoutSlice';
import { undoMemory, useMarkAfter, useMarksOf } from '../../state/memorySlice';
import { copyText, openLink } from '../../state/talkActs';
import { placeIn, useUnfolded } from '../../state/unfolded';
import { MarkdownView } from '../../text/MarkdownView';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { useMadeWords } from '../../ui/memoryWords';
import { PageGrid } from '../../ui/pages/PageGrid';
import styles from './MemoryDivider.module.css';

export function MemoryDivider({ messageId }: { messageId: MessageId }) {
  const mark = useMarkAfter(messageId);
  return mark ? <Divider mark={mark} /> : null;
}

function Divider({ mark }: { mark: MemoryMark }) {
  const { t } = useTranslation('memory');
  const [open, setOpen] = useUnfolded(placeIn(mark.anchorId, 'memory'));
  const of = useMarksOf();
  const { shortly, kept } = useMadeWords();
  const kind = mark.kind === 'pages' || mark.kind === 'edit' ? mark.kind : 'card';
  const kindWords = t(`kind.${kind}`, { count: mark.pages.length });
  const name = mark.isInForce ? t('divider', { agent: of?.agentName ?? '', kind: kindWords }) : t('dividerOlder');
  const facts = [mark.kind === 'edit' ? null : shortly(mark.receipt), kept(mark.receipt)].filter((fact) => fact !== null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups what is said about a memory
    <div role="group" aria-label={name} className={styles.divider}>
      <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight aria-hidden="true" className={cx(styles.chevron, open && styles.open)} />
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
      </button>
      {open ? <Opened mark={mark} /> : null}
    </div>
  );
}

function Opened({ mark }: { mark: MemoryMark }) {
  const { t } = useTranslation('memory');
  const { pages } = useMadeWords();
  const of = useMarksOf();
  const writable = useWorkspace()?.status !== 'readOnly';
  const show = () => {
    setPanelTab('memory');
    setAreaOpen('panel', true);
  };
  return (
    <div className={styles.opened}>
      {mark.isOverUndone ? <p className={styles.amber}>{t('overUndone')}</p> : null}
      {mark.receipt.pages ? <p className={styles.facts}>{pages(mark.receipt.pages)}</p> : null}
      {mark.pages.length > 0 ? <PageGrid pages={mark.pages} onCopy={copyText} /> : null}
      {mark.text.trim() === '' ? null : (
        <div className={styles.text} dir="auto">
          {mark.pages.length > 0 ? <p className={styles.facts}>{t('pages:earlierCard')}</p> : null}
          <MarkdownView text={mark.text} onOpenLink={openLink} onCopy={copyText} />
        </div>
      )}
      <div className={styles.acts}>
        {writable && of ? (
          <Button size="small" icon={<Undo2 aria-hidden="true" />} onClick={() => void undoMemory(of, mark.recordId)}>
            {t('undo')}
          </Button>
        ) : null}
        <Button size="small" look="plain" onClick={show}>
          {t('dividerShow')}
        </Button>
      </div>
    </div>
  );
}
