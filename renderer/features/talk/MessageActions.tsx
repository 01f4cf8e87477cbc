// What can be done with a message: shown while it is pointed at or holds the focus, in space that is always kept for it.
import { Check, Copy, GitBranch, Pencil, Play, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageId } from '../../../shared/model/ids';
import { textOf } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import { useWorkspace } from '../../state/appSlice';
import { continueAnswer, copyText, goTo, regenerate, startEditing } from '../../state/talkActs';
import { useIsTip } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { IconButton } from '../../ui/IconButton';
import { CheckpointButton } from './CheckpointButton';
import { DetailsButton } from './DetailsButton';
import { ForkButton } from './ForkButton';
import { useIsFirstView } from './listContext';
import styles from './Message.module.css';
import { MarkActions } from './marks/MarkActions';
import { RegenerateWith } from './RegenerateWith';
import { hasMarks } from './StatusMarks';

type ActionsProps = { message: MessageView; depth: number };

/**
 * Nobody sees them before they point at the message, so that the first view of a conversation is drawn without them. Those that are seen
 * at once, or could take a second row beside what is, come with their message.
 */
export function MessageActions({ message, depth }: ActionsProps) {
  const { last } = useIsTip(depth);
  const first = useIsFirstView();
  if (first && !last && message.versions < 2 && !hasMarks(message)) return <span className={styles.actions} />;
  return <Actions message={message} depth={depth} />;
}

function Actions({ message, depth }: ActionsProps) {
  const { t } = useTranslation('talk');
  const tip = useIsTip(depth);
  const writable = useWorkspace()?.status !== 'readOnly';
  const answer = message.role === 'assistant';
  const cut = isCut(message, tip.last);
  const goOn = writable && answer && (cut || tip.last) ? <ContinueButton messageId={message.id} cut={cut} /> : null;
  const canRegenerate = answer || (message.role === 'user' && tip.alone);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups buttons
    <span className={cx(styles.actions, tip.last && answer && styles.shown)} role="group" aria-label={t('actions.label')}>
      {cut ? goOn : null}
      <CopyAct message={message} />
      {writable && message.role !== 'digest' ? (
        <IconButton label={t('actions.edit')} size="small" onClick={() => startEditing(message.id)}>
          <Pencil aria-hidden="true" />
        </IconButton>
      ) : null}
      {writable && canRegenerate ? (
        <IconButton label={t('actions.regenerate')} size="small" onClick={() => void regenerate(message.id)}>
          <RefreshCw aria-hidden="true" />
        </IconButton>
      ) : null}
      {writable && answer ? <RegenerateWith message={message} /> : null}
      {cut ? null : goOn}
      {writable ? (
        <IconButton label={t('actions.branch')} tooltip={t('actions.branchHint')} size="small" onClick={() => void goTo(message.id)}>
          <GitBranch aria-hidden="true" />
        </IconButton>
      ) : null}
      {writable ? <ForkButton messageId={message.id} /> : null}
      {writable ? <CheckpointButton messageId={message.id} /> : null}
      {writable ? <MarkActions message={message} /> : null}
      {answer ? <DetailsButton message={message} /> : null}
    </span>
  );
}

/** Its turn ended before the answer did: also a last call without words after it. */
function isCut({ role, status, finish, parts }: MessageView, last: boolean): boolean {
  return role === 'assistant' && (status === 'interrupted' || finish === 'length' || (last && parts.at(-1)?.type === 'toolCall'));
}

/** With its word, and first, where an answer was cut; a whole one can be continued, too. */
function ContinueButton({ messageId, cut }: { messageId: MessageId; cut: boolean }) {
  const { t } = useTranslation('talk');
  const onClick = () => void continueAnswer(messageId);
  return cut ? (
    <Button size="small" look="plain" className={styles.go} icon={<Play aria-hidden="true" />} onClick={onClick}>
      {t('actions.continue')}
    </Button>
  ) : (
    <IconButton label={t('actions.continue')} size="small" onClick={onClick}>
      <Play aria-hidden="true" />
    </IconButton>
  );
}

function CopyAct({ message }: { message: MessageView }) {
  const { t } = useTranslation('talk');
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(textOf(message))) setCopied((count) => count + 1);
  };
  return (
    <IconButton
      label={t('actions.copy')}
      tooltip={copied ? t('actions.copied') : t('actions.copy')}
      size="small"
      onClick={() => void copy()}
    >
      {copied ? <Check aria-hidden="true" className={styles.done} /> : <Copy aria-hidden="true" />}
    </IconButton>
  );
}
