// Files may be dropped anywhere in the window: an overlay says what will happen before they are let go.
import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { addFiles } from '../../state/draftFiles';
import styles from './DropOverlay.module.css';

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
const isModal = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

export function DropOverlay({ readOnly }: { readOnly: boolean }) {
  const { t } = useTranslation('composer');
  const count = useFileDrop(readOnly);
  if (count === null) return null;
  const title = count > 0 ? t('drop.title', { count }) : t('drop.titleUnknown');
  return createPortal(
    <div className={styles.overlay} role="status">
      <div className={styles.card}>
        <FileUp aria-hidden="true" />
        <p className={styles.title}>{readOnly ? t('drop.readOnlyTitle') : title}</p>
        <p className={styles.kinds}>{readOnly ? t('drop.readOnly') : t('drop.kinds')}</p>
      </div>
    </div>,
    document.body,
  );
}

/** How many files hang over the window; null when none do. */
function useFileDrop(readOnly: boolean): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    // Enter and leave come for every element on the way: the window is left when as many were left as entered.
    let depth = 0;
    const end = () => {
      depth = 0;
      setCount(null);
    };
    const onEnter = (event: DragEvent) => {
      if (!carriesFiles(event) || isModal()) return;
      depth += 1;
      setCount([...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length);
    };
    const onOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = readOnly || isModal() ? 'none' : 'copy';
    };
    const onLeave = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth -= 1;
      if (depth <= 0) end();
    };
    const onDrop = (event: DragEvent) => {
      end();
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (!readOnly && !isModal()) void addFiles([...(event.dataTransfer?.files ?? [])]);
      window.dispatchEvent(new CustomEvent('bough:focus-composer'));
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [readOnly]);
  return count;
}
