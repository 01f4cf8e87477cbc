// One place on the path: a message, the running or failed answer, or the space of a message that is not loaded yet.
import { memo } from 'react';
import { useEndingAt, useMessageAt } from '../../state/talkSlice';
import { useLate } from '../../ui/Skeleton';
import { AnswerItem } from './AnswerItem';
import { DigestItem } from './DigestItem';
import { FailedItem } from './FailedItem';
import type { ItemProps } from './itemProps';
import styles from './Message.module.css';
import { UserItem } from './UserItem';

export const TalkItem = memo(function TalkItem({ depth, count, usual }: ItemProps & { usual: number }) {
  const message = useMessageAt(depth);
  const ending = useEndingAt(depth);
  if (ending?.type === 'failed')
    return <FailedItem depth={depth} count={count} turn={ending.turn} version={ending.version} versions={ending.versions} />;
  // One component for the answer while it streams and after: its text stays in the page when it becomes a message.
  if (ending?.type === 'live')
    return <AnswerItem depth={depth} count={count} answer={ending.step} version={ending.version} versions={ending.versions} />;
  if (!message) return <Placeholder depth={depth} count={count} height={usual} />;
  switch (message.role) {
    case 'user':
      return <UserItem depth={depth} count={count} message={message} />;
    case 'assistant':
      return <AnswerItem depth={depth} count={count} answer={message} version={message.version} versions={message.versions} />;
    case 'digest':
      return <DigestItem depth={depth} count={count} message={message} />;
  }
});

function Placeholder({ depth, count, height }: ItemProps & { height: number }) {
  const late = useLate();
  return (
    // biome-ignore lint/a11y/useSemanticElements: an article needs its place in the feed also while it is empty
    <div role="article" aria-busy="true" aria-posinset={depth + 1} aria-setsize={count} className={styles.placeholder} style={{ height }}>
      {late ? (
        <>
          <span className={styles.ghost} style={{ width: `${40 + ((depth * 37) % 30)}%` }} />
          <span className={styles.ghost} style={{ width: `${60 + ((depth * 53) % 35)}%` }} />
        </>
      ) : null}
    </div>
  );
}
