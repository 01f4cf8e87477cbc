// On a message that was forked: how often, and the way to each copy (T9).
import { GitFork } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageId } from '../../../shared/model/ids';
import { useForksAt } from '../../state/forkSlice';
import { openConversation } from '../../state/talkSlice';
import { MenuAt, type MenuItem } from '../../ui/Menu';
import styles from './Checkpoint.module.css';

export function ForkMarks({ messageId }: { messageId: MessageId }) {
  const { t } = useTranslation('fork');
  const forks = useForksAt(messageId);
  const button = useRef<HTMLButtonElement>(null);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  if (forks.length === 0) return null;
  const label = t('made', { count: forks.length });
  const [only] = forks;
  const items: MenuItem[] = forks.map(({ id, title }) => ({
    id,
    label: title || t('untitled'),
    onSelect: () => void openConversation(id),
  }));
  const onClick = () => {
    const box = button.current?.getBoundingClientRect();
    if (forks.length === 1 && only) void openConversation(only.id);
    else if (box) setMenu({ x: box.left, y: box.bottom });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.mark}
        data-tooltip={t('open')}
        {...(forks.length > 1 ? { 'aria-haspopup': 'menu' as const, 'aria-expanded': menu !== null } : {})}
        onClick={onClick}
      >
        <GitFork aria-hidden="true" />
        {label}
      </button>
      {menu ? (
        <MenuAt at={menu} label={label} items={items} onClose={() => setMenu(null)} returnFocus={() => button.current?.focus()} />
      ) : null}
    </>
  );
}
