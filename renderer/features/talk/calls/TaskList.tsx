// The agent's tasks as a checklist: open, being done, done.
import { CircleDashed, SquareCheck, SquareIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import styles from './calls.module.css';

type TaskState = 'open' | 'doing' | 'done';
type Task = { text: string; state: TaskState };
const states: readonly TaskState[] = ['open', 'doing', 'done'];

/** The tasks a call was given; null when they cannot be read as such. */
export function tasksIn(values: Readonly<Record<string, unknown>>): Task[] | null {
  if (!Array.isArray(values.tasks)) return null;
  const tasks: Task[] = [];
  for (const each of values.tasks) {
    if (typeof each !== 'object' || each === null || !('text' in each) || typeof each.text !== 'string') return null;
    const state = 'state' in each ? states.find((known) => known === each.state) : undefined;
    tasks.push({ text: each.text, state: state ?? 'open' });
  }
  return tasks;
}

const icons = { open: SquareIcon, doing: CircleDashed, done: SquareCheck } as const;

export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  const { t } = useTranslation('talk');
  if (tasks.length === 0) return <p className={styles.quiet}>{t('calls.noTasks')}</p>;
  return (
    <ul className={styles.tasks} aria-label={t('calls.tasks')}>
      {tasks.map((task, index) => {
        const Icon = icons[task.state];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call's tasks never change, their place is their identity
          <li key={index} data-state={task.state}>
            <Icon role="img" aria-label={t(`calls.task.${task.state}`)} />
            <span dir="auto">{task.text}</span>
          </li>
        );
      })}
    </ul>
  );
}
