// Conversations in the order main gives them, with the headings of time between: Pinned, Today, Yesterday, Previous 7 days, months.
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import type { Conversation } from '../../../shared/model/conversation';

export type Group = 'pinned' | 'today' | 'yesterday' | 'week' | { month: number };
export type Row = { type: 'group'; key: string; group: Group } | { type: 'conversation'; key: string; conversation: Conversation };

function groupOf(conversation: Conversation, now: number): Group {
  if (conversation.pinned) return 'pinned';
  const days = differenceInCalendarDays(now, conversation.updatedAt);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  if (days <= 7) return 'week';
  const date = new Date(conversation.updatedAt);
  return { month: new Date(date.getFullYear(), date.getMonth()).getTime() };
}

const keyOf = (group: Group) => (typeof group === 'string' ? group : `month ${group.month}`);

export function groupConversations(list: readonly Conversation[], now: number): Row[] {
  const rows: Row[] = [];
  let last = '';
  for (const conversation of list) {
    const group = groupOf(conversation, now);
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
