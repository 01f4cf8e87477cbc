// An answer, while it streams and after: full width, no bubble, a small line that says who wrote it.
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveStep } from '../../../shared/model/live';
import type { MessageView } from '../../../shared/model/talkView';
import { useHasMarkAfter } from '../../state/memorySlice';
import { useCheckpoints, useGoesOn, useIsEditing, useIsMarked, useJoin } from '../../state/talkSlice';
import { cx } from '../../ui/cx';
import { AnswerHead } from './AnswerHead';
import { AnswerParts } from './AnswerParts';
import { EditBox } from './EditBox';
import { ForwardRow } from './ForwardRow';
import type { ItemProps } from './itemProps';
import { LivePhase } from './LivePhase';
import { MemoryDivider } from './MemoryDivider';
import styles from './Message.module.css';
import { MessageActions } from './MessageActions';
import { hasMarks, StatusMarks } from './StatusMarks';
import { useAuthorName } from './useAgentName';
import { VersionSwitcher } from './VersionSwitcher';

type AnswerProps = ItemProps & { answer: MessageView | LiveStep; version: number; versions: number };

export function AnswerItem({ depth, count, answer, version, versions }: AnswerProps) {
  const name = useAuthorName(answer.agentId, answer.model);
  const join = useJoin(depth);
  const live = 'phase' in answer;
  const floats = useFootFloats(depth, answer, versions);
  return (
    <article
      className={cx(
        styles.message,
        styles.answer,
        join !== 'none' && styles.continues,
        join === 'calls' && styles.joined,
        floats && styles.floats,
      )}
      aria-label={name}
      aria-posinset={depth + 1}
      aria-setsize={count}
      aria-busy={live}
      tabIndex={-1}
    >
      <AnswerBody depth={depth} answer={answer} version={version} versions={versions} headless={join !== 'none'} />
      {'phase' in answer ? null : <MemoryDivider messageId={answer.id} />}
      <ForwardRow depth={depth} />
    </article>
  );
}

/** Between the steps of one answer the row under a message takes no space, unless it says something. */
function useFootFloats(depth: number, answer: MessageView | LiveStep, versions: number): boolean {
  const goesOn = useGoesOn(depth);
  const editing = useIsEditing('phase' in answer ? null : answer.id);
  const named = useCheckpoints().some((checkpoint) => checkpoint.messageId === answer.id);
  const marked = useIsMarked(answer.id);
  const divided = useHasMarkAfter(answer.id);
  return goesOn && !editing && versions < 2 && !named && !marked && !divided && !('phase' in answer) && !hasMarks(answer);
}

type BodyProps = Omit<AnswerProps, 'count'> & { headless: boolean };

/** All that does not depend on the length of the feed: a settled answer is not drawn again while another streams. */
const AnswerBody = memo(function AnswerBody({ depth, answer, version, versions, headless }: BodyProps) {
  const { t } = useTranslation('talk');
  const message = 'phase' in answer ? null : answer;
  const step = 'phase' in answer ? answer : null;
  const editing = useIsEditing(message?.id ?? null);
  const at = message ? message.createdAt : (step?.startedAt ?? 0);
  return (
    <>
      {headless ? (
        <h2 className={styles.hidden}>{t('continued')}</h2>
      ) : (
        <AnswerHead agentId={answer.agentId} model={answer.model} at={at} />
      )}
      {message && editing ? <EditBox message={message} depth={depth} /> : <AnswerParts answer={answer} />}
      {step ? <LivePhase step={step} /> : null}
      {editing ? null : (
        <footer className={styles.foot}>
          <VersionSwitcher parentId={answer.parentId} from={message?.id ?? null} depth={depth} version={version} versions={versions} />
          {message ? <StatusMarks message={message} /> : null}
          {message ? <MessageActions message={message} depth={depth} /> : null}
        </footer>
      )}
    </>
  );
});
