// A call unfolded (A5): what the tool was given, and what it gave back.
import { useTranslation } from 'react-i18next';
import type { ToolCallPart } from '../../../../shared/model/message';
import { CallResult } from './CallResult';
import type { CallStatus } from './callLook';
import styles from './calls.module.css';
import { GivenArguments } from './GivenArguments';
import type { ReadArguments } from './readArguments';
import type { CallSource } from './source';
import { TaskList, tasksIn } from './TaskList';

type DetailsProps = {
  part: ToolCallPart;
  given: ReadArguments;
  status: CallStatus;
  source: CallSource;
  summary: string | undefined;
};

export function CallDetails({ part, given, status, source, summary }: DetailsProps) {
  const { t } = useTranslation('talk');
  const tasks = part.name === 'tasks' && given.whole ? tasksIn(given.values) : null;
  const ended = summary !== undefined;
  return (
    <div className={styles.details}>
      {tasks ? <TaskList tasks={tasks} /> : <GivenArguments text={part.arguments} given={given} writing={status === 'writing'} />}
      {ended ? null : <p className={styles.quiet}>{t(source.stepId ? 'calls.noResultYet' : 'calls.noResult')}</p>}
      {/* A list that was taken as it is needs no second telling. */}
      {ended && !(tasks && status === 'done') ? <CallResult source={source} callId={part.callId} name={part.name} /> : null}
    </div>
  );
}
