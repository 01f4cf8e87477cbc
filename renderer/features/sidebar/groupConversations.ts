// Conversations in the order main gives them, with the headings of time between: Pinned, Today, Yesterday, Previous 7 days, months.
import type { Conversation } from '../../../shared/model/conversation';

export type Group = 'pinned' | 'today' | 'yesterday' | 'week' | { month: number };
export type Row = { type: 'group'; key: string; group: Group } | { type: 'conversation'; key: string; conversation: Conversation };

/** Where days and the present month begin: looked up once for a list, which may have thousands of rows. */
function groupsBefore(now: number): (conversation: Conversation) => Group {
  const today = new Date(now);
  const dayBefore = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
  const [midnight, yesterday, week] = [dayBefore(0), dayBefore(1), dayBefore(7)];
  let month = { start: 0, end: 0 };
  return ({ pinned, updatedAt }) => {
    if (pinned) return 'pinned';
    if (updatedAt >= midnight) return 'today';
    if (updatedAt >= yesterday) return 'yesterday';
    if (updatedAt >= week) return 'week';
    if (updatedAt < month.start || updatedAt >= month.end) month = monthOf(new Date(updatedAt));
    return { month: month.start };
  };
}

function monthOf(date: Date): { start: number; end: number } {
  const startIn = (months: number) => new Date(date.getFullYear(), date.getMonth() + months).getTime();
  return { start: startIn(0), end: startIn(1) };
}

const keyOf = (group: Group) => (typeof group === 'string' ? group : `month ${group.month}`);

export function groupConversations(list: readonly Conversation[], now: number): Row[] {
  const rows: Row[] = [];
  const groupOf = groupsBefore(now);
  let last = '';
  for (const conversation of list) {
    const group = groupOf(conversation);
    const key = keyOf(group);
    if (key !== last) rows.push({ type: 'group', key, group });
    last = key;
    rows.push({ type: 'conversation', key: conversation.id, conversation });
  }
  return rows;
}

/** "October", with the year when it is not this one. */
export function monthLabel(month: number, now: number, language: string): string {
  const sameYear = new Date(month).getFullYear() === new Date(now).getFullYear();
  const label = new Intl.DateTimeFormat(language, { month: 'long', ...(sameYear ? {} : { year: 'numeric' }) }).format(month);
  return label.charAt(0).toLocaleUpperCase(language) + label.slice(1);
}
