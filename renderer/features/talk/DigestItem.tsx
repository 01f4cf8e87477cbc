// What was carried over from another branch: a message between two rules, said to come from elsewhere.
import { CornerLeftUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DigestOrigin } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import { copyText, goToOrigin, openLink } from '../../state/talkActs';
import { MarkdownView } from '../../text/MarkdownView';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import digest from './Digest.module.css';
import { digestParts } from './digestParts';
import { ForwardRow } from './ForwardRow';
import type { ItemProps } from './itemProps';
import { MemoryDivider } from './MemoryDivider';
import styles from './Message.module.css';
import { MessageActions } from './MessageActions';
import reasoning from './Reasoning.module.css';
import { StatusMarks } from './StatusMarks';
import { VersionSwitcher } from './VersionSwitcher';

export function DigestItem({ depth, count, message }: ItemProps & { message: MessageView }) {
  const { t } = useTranslation('talk');
  const { told, request } = digestParts(message);
  return (
    <article
      className={cx(styles.message, styles.digest)}
      aria-label={t('digest')}
      aria-posinset={depth + 1}
      aria-setsize={count}
      tabIndex={-1}
    >
      <Head origin={message.digest ?? {}} />
      <div className={reasoning.thoughts} dir="auto">
        <MarkdownView text={told} onOpenLink={openLink} onCopy={copyText} />
        {request === '' ? null : (
          <>
            <h3 className={digest.carried}>{t('digestRequest')}</h3>
            <MarkdownView text={request} onOpenLink={openLink} onCopy={copyText} />
          </>
        )}
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
      <MemoryDivider messageId={message.id} />
      <ForwardRow depth={depth} />
    </article>
  );
}

/** Where it comes from, what it was to tell of, and who made it; with the way to the branch where that is still there. */
function Head({ origin: { from, label, focus, plain } }: { origin: DigestOrigin }) {
  const { t } = useTranslation('talk');
  const whence = label ? t('digestOf', { label }) : t('digestFrom');
  const words = [whence, ...(plain ? [t('digestPlain')] : []), ...(focus ? [t('digestAbout', { focus })] : [])].join(' · ');
  return (
    <div className={digest.head}>
      <h2>{t('digest')}</h2>
      <span title={focus ? words : undefined}>{words}</span>
      {from ? (
        <Button size="small" look="plain" icon={<CornerLeftUp aria-hidden="true" />} onClick={() => void goToOrigin(from)}>
          {t('digestOrigin')}
        </Button>
      ) : null}
    </div>
  );
}
