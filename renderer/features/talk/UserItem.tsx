// What the person said: a quiet block at the right edge of the column.
import { useTranslation } from 'react-i18next';
import type { Attachment } from '../../../shared/model/draft';
import { textOf } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import { useIsEditing } from '../../state/talkSlice';
import { AttachmentTile } from '../../ui/AttachmentTile';
import { cx } from '../../ui/cx';
import { EditBox } from './EditBox';
import { ForwardRow } from './ForwardRow';
import type { ItemProps } from './itemProps';
import { LongText } from './LongText';
import { MemoryDivider } from './MemoryDivider';
import styles from './Message.module.css';
import { MessageActions } from './MessageActions';
import { StatusMarks } from './StatusMarks';
import { VersionSwitcher } from './VersionSwitcher';

export function UserItem({ depth, count, message }: ItemProps & { message: MessageView }) {
  const { t } = useTranslation('talk');
  const editing = useIsEditing(message.id);
  return (
    <article className={cx(styles.message, styles.user)} aria-label={t('you')} aria-posinset={depth + 1} aria-setsize={count} tabIndex={-1}>
      {editing ? (
        <EditBox message={message} depth={depth} />
      ) : (
        <>
          <UserContent message={message} />
          <footer className={styles.foot}>
            <MessageActions message={message} depth={depth} />
            <StatusMarks message={message} />
            <VersionSwitcher
              parentId={message.parentId}
              from={message.id}
              depth={depth}
              version={message.version}
              versions={message.versions}
            />
          </footer>
        </>
      )}
      <MemoryDivider messageId={message.id} />
      <ForwardRow depth={depth} />
    </article>
  );
}

const isAttachment = (part: MessageView['parts'][number]): part is Attachment => part.type === 'image' || part.type === 'file';

function UserContent({ message }: { message: MessageView }) {
  const attachments = message.parts.filter(isAttachment);
  const text = textOf(message);
  return (
    <div className={styles.said}>
      {attachments.length > 0 ? (
        <div className={styles.attachments}>
          {attachments.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts never change, their place is their identity
            <AttachmentTile key={index} part={part} large />
          ))}
        </div>
      ) : null}
      {text ? <LongText text={text} /> : null}
    </div>
  );
}
