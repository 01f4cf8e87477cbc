// One conversation: a link by its title, whether it is a fork, what runs or failed in it, and its menu on hover, focus and right click.
import { Ellipsis, GitFork } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../../shared/model/conversation';
import type { ConversationId } from '../../../shared/model/ids';
import { renameConversation, useActivity } from '../../state/conversationsSlice';
import { uncoverTalk } from '../../state/layoutSlice';
import { openConversation } from '../../state/talkSlice';
import { cx } from '../../ui/cx';
import { IconButton } from '../../ui/IconButton';
import styles from './ConversationList.module.css';
import type { RowMenuPlace } from './RowMenu';

type RowProps = {
  conversation: Conversation;
  isOpen: boolean;
  isTabStop: boolean;
  isRenaming: boolean;
  menuOpen: boolean;
  onFocus(id: ConversationId): void;
  onMenu(place: RowMenuPlace): void;
  /** The rename ended; by keyboard, focus belongs to the row again. */
  onRenamed(id: ConversationId, byKeyboard: boolean): void;
};

/** Drawn again only when its own facts change: another conversation opened leaves all but two rows as they are. */
export const ConversationRow = memo(function ConversationRow(props: RowProps) {
  const { conversation, isOpen, isTabStop, isRenaming, menuOpen, onFocus, onMenu, onRenamed } = props;
  const { t } = useTranslation('sidebar');
  const activity = useActivity(conversation.id);
  const title = conversation.title || t('untitled');
  if (isRenaming) return <RenameField conversation={conversation} onDone={(byKeyboard) => onRenamed(conversation.id, byKeyboard)} />;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    uncoverTalk();
    if (!isOpen) void openConversation(conversation.id);
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    const byKeyboard = event.clientX === 0 && event.clientY === 0;
    const opener = event.currentTarget.querySelector('a');
    onMenu({ conversation, at: byKeyboard ? { x: box.left + 16, y: box.bottom } : { x: event.clientX, y: event.clientY }, opener });
  };
  const onMore = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onMenu({ conversation, at: { x: box.left, y: box.bottom }, opener: event.currentTarget });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the right click repeats what the row's menu button does
    <div className={cx(styles.row, isOpen && styles.open)} onContextMenu={onContextMenu}>
      <a
        href={`#${conversation.id}`}
        data-id={conversation.id}
        aria-current={isOpen ? 'page' : undefined}
        tabIndex={isTabStop ? 0 : -1}
        dir="auto"
        draggable={false}
        data-tooltip={title}
        data-tooltip-truncated
        className={cx(styles.link, !conversation.title && styles.untitled)}
        onClick={open}
        onFocus={() => onFocus(conversation.id)}
      >
        {title}
      </a>
      {conversation.forkedFrom ? (
        <span role="img" aria-label={t('forked')} data-tooltip={t('forked')} className={styles.forked}>
          <GitFork aria-hidden="true" />
        </span>
      ) : null}
      {activity ? (
        <span
          role="img"
          aria-label={t(`activity.${activity}`)}
          data-tooltip={t(`activity.${activity}`)}
          className={cx(styles.dot, styles[activity])}
        />
      ) : null}
      <IconButton
        label={t('menu.label', { title })}
        tooltip={t('menu.tooltip')}
        size="small"
        tabIndex={isTabStop ? 0 : -1}
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        className={styles.more}
        onClick={onMore}
      >
        <Ellipsis aria-hidden="true" />
      </IconButton>
    </div>
  );
});

function RenameField({ conversation, onDone }: { conversation: Conversation; onDone(byKeyboard: boolean): void }) {
  const { t } = useTranslation('sidebar');
  const over = useRef(false);
  const finish = (value: string | null, byKeyboard: boolean) => {
    if (over.current) return;
    over.current = true;
    const title = value?.trim();
    if (title && title !== conversation.title) void renameConversation(conversation.id, title);
    onDone(byKeyboard);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') finish(event.currentTarget.value, true);
    else if (event.key === 'Escape') finish(null, true);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.row}>
      <input
        // The person asked for this field a moment ago.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus
        aria-label={t('rename.label')}
        className={styles.rename}
        defaultValue={conversation.title}
        maxLength={500}
        dir="auto"
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        onBlur={(event) => finish(event.target.value, false)}
      />
    </div>
  );
}
