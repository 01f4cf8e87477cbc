// The names of a message: a flag and its label, with the way back to it.
import { Flag, Trash2, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Checkpoint } from '../../../shared/model/checkpoint';
import type { MessageId } from '../../../shared/model/ids';
import { useWorkspace } from '../../state/appSlice';
import { removeCheckpoint } from '../../state/checkpointActs';
import { useCheckpoints } from '../../state/talkSlice';
import { MenuAt, type MenuItem } from '../../ui/Menu';
import styles from './Checkpoint.module.css';
import { RewindDialog } from './RewindDialog';

export function CheckpointMarks({ messageId }: { messageId: MessageId }) {
  const checkpoints = useCheckpoints();
  return checkpoints
    .filter((checkpoint) => checkpoint.messageId === messageId)
    .map((checkpoint) => <CheckpointMark key={checkpoint.label} checkpoint={checkpoint} />);
}

function CheckpointMark({ checkpoint: { label, by } }: { checkpoint: Checkpoint }) {
  const { t } = useTranslation('talk');
  const writable = useWorkspace()?.status !== 'readOnly';
  const button = useRef<HTMLButtonElement>(null);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const [rewinding, setRewinding] = useState(false);
  const openMenu = () => {
    const box = button.current?.getBoundingClientRect();
    if (box) setMenu({ x: box.left, y: box.bottom });
  };
  const items: MenuItem[] = [
    { id: 'rewind', label: t('checkpoint.rewind'), icon: <Undo2 aria-hidden="true" />, onSelect: () => setRewinding(true) },
    { id: 'remove', label: t('checkpoint.remove'), icon: <Trash2 aria-hidden="true" />, onSelect: () => void removeCheckpoint(label) },
  ];
  const words = (
    <>
      <Flag aria-hidden="true" />
      <bdi>{label}</bdi>
    </>
  );
  const hint = t(`checkpoint.by.${by}`);
  if (!writable) {
    return (
      <span className={styles.mark} data-tooltip={hint}>
        {words}
      </span>
    );
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.mark}
        aria-label={t('checkpoint.mark', { label })}
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        data-tooltip={hint}
        onClick={openMenu}
      >
        {words}
      </button>
      {menu ? (
        <MenuAt
          at={menu}
          label={t('checkpoint.mark', { label })}
          items={items}
          onClose={() => setMenu(null)}
          returnFocus={() => button.current?.focus()}
        />
      ) : null}
      {rewinding ? <RewindDialog label={label} onClose={() => setRewinding(false)} /> : null}
    </>
  );
}
