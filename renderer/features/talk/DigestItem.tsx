// What was carried over from another branch: a message between two rules, said to come from elsewhere.
import { useTranslation } from 'react-i18next';
import { textOf } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import { copyText, openLink } from '../../state/talkActs';
import { MarkdownView } from '../../text/MarkdownView';
import { cx } from '../../ui/cx';
import { ForwardRow } from './ForwardRow';
import type { ItemProps } from './itemProps';
import styles from './Message.module.css';
import { MessageActions } from './MessageActions';
import { StatusMarks } from './StatusMarks';
import { VersionSwitcher } from './VersionSwitcher';

export function DigestItem({ depth, count, message }: ItemProps & { message: MessageView }) {
  const { t } = useTranslation('talk');
  return (
    <article
      className={cx(styles.message, styles.digest)}
      aria-label={t('digest')}
      aria-posinset={depth + 1}
      aria-setsize={count}
      tabIndex={-1}
    >
      <h2 className={styles.digestHead}>
        {t('digest')}
        <span>{message.digest?.label ? t('digestOf', { label: message.digest.label }) : t('digestFrom')}</span>
      </h2>
      <div className={styles.thoughts} dir="auto">
        <MarkdownView text={textOf(message)} onOpenLink={openLink} onCopy={copyText} />
      </div>
      <footer className={styles.foot}>
        <VersionSwitcher
          parentId={message.parentId}
          from={message.id}
          depth={depth}
          version={message.version}
          versions={message.versions}
        />
        <StatusMarks message={message} />
        <MessageActions message={message} depth={depth} />
      </footer>
      <ForwardRow depth={depth} />
    </article>
  );
}
