// Files may be dropped anywhere in the window: an overlay says what will happen before they are let go. On the list of conversations they are
// imported, anywhere else attached; what cannot be attached at all (a folder, an archive) is offered for import. An import still asks first.
import { FileInput, FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { addFiles } from '../../state/draftFiles';
import { importDropped } from '../../state/importSlice';
import styles from './DropOverlay.module.css';

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
const isModal = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

export function DropOverlay({ readOnly }: { readOnly: boolean }) {
  const { t } = useTranslation('composer');
  const drop = useFileDrop(readOnly);
  if (drop === null) return null;
  const { count, imports } = drop;
  const attach = count > 0 ? t('drop.title', { count }) : t('drop.titleUnknown');
  const title = imports ? t('drop.importTitle') : attach;
  return createPortal(
    <div className={styles.overlay} role="status">
      <div className={styles.card}>
        {imports ? <FileInput aria-hidden="true" /> : <FileUp aria-hidden="true" />}
        <p className={styles.title}>{readOnly ? t('drop.readOnlyTitle') : title}</p>
        <p className={styles.kinds}>{readOnly ? t('drop.readOnly') : t(imports ? 'drop.import' : 'drop.kinds')}</p>
      </div>
    </div>,
    document.body,
  );
}

/** Over a place that imports; only known from the element itself, as the overlay lets the pointer through. */
const isImport = ({ target }: Event) => target instanceof Element && target.closest('[data-drop="import"]') !== null;

/** Folders and archives are told before the event ends: afterwards the entries are gone. */
function cannotBeAttached({ dataTransfer }: DragEvent): boolean {
  const items = [...(dataTransfer?.items ?? [])].filter((item) => item.kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
  return items.length > 0 && items.every((item, at) => isFolder(item) || /\.zip$/i.test(dataTransfer?.files[at]?.name ?? ''));
}

type Drop = { count: number; imports: boolean };

/** How many files hang over the window, and what becomes of them; null when none do. */
function useFileDrop(readOnly: boolean): Drop | null {
  const [drop, setDrop] = useState<Drop | null>(null);
  useEffect(() => {
    // Enter and leave come for every element on the way: the window is left when as many were left as entered.
    let depth = 0;
    const end = () => {
      depth = 0;
      setDrop(null);
    };
    const onEnter = (event: DragEvent) => {
      if (!carriesFiles(event) || isModal()) return;
      depth += 1;
      const count = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length;
      setDrop({ count, imports: isImport(event) });
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
      const files = [...(event.dataTransfer?.files ?? [])];
      const takes = !readOnly && !isModal() && files.length > 0;
      if (takes && (isImport(event) || cannotBeAttached(event))) {
        void importDropped(files);
        return;
      }
      if (takes) void addFiles(files);
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
  return drop;
}
