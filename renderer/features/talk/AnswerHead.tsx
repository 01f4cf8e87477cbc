// The small line over an answer: who wrote it, with which model, when.
import { useTranslation } from 'react-i18next';
import type { AgentId } from '../../../shared/model/ids';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import styles from './AnswerHead.module.css';
import { useAuthorName, useModelNames } from './useAgentName';

export function AnswerHead({ agentId, model, at }: { agentId: AgentId | undefined; model: string | undefined; at: number }) {
  const { t, i18n } = useTranslation('talk');
  const name = useAuthorName(agentId, model);
  const names = useModelNames(model);
  const date = new Date(at);
  return (
    <header className={styles.head}>
      <Avatar name={name} size="small" />
      <h2 className={styles.who} dir="auto">
        {name}
      </h2>
      {agentId && names && !names.demo ? (
        <span className={styles.model} dir="auto">
          {names.model}
        </span>
      ) : null}
      {names?.demo ? (
        <span data-tooltip={t('status.demoHint')}>
          <Badge>{t('status.demo')}</Badge>
        </span>
      ) : null}
      {names?.demo && model?.endsWith('/demo-large') ? <span className={styles.model}>{t('agent.window.large')}</span> : null}
      <time className={styles.time} dateTime={date.toISOString()} data-tooltip={longDate(date, i18n.language)}>
        {shortTime(date, i18n.language)}
      </time>
    </header>
  );
}

const day = 24 * 60 * 60 * 1000;
const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, known);
  return known;
}

function longDate(date: Date, language: string): string {
  return formatOf(language, { dateStyle: 'full', timeStyle: 'medium' }).format(date);
}
export function mediumDate(date: Date, language: string): string {
  return formatOf(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}
/** The hour for what is recent, else the day. */
function shortTime(date: Date, language: string, now = Date.now()): string {
  const age = now - date.getTime();
  if (Math.abs(age) < day && new Date(now).getDate() === date.getDate()) return formatOf(language, { timeStyle: 'short' }).format(date);
  const sameYear = new Date(now).getFullYear() === date.getFullYear();
  return formatOf(language, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) }).format(date);
}
