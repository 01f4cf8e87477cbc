import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation';
import type { ConversationId } from '../../../shared/model/ids';
import { groupConversations, monthLabel } from './groupConversations';

const now = new Date(2026, 10, 30, 10, 0).getTime();
const made = (id: string, updatedAt: number, more: Partial<Conversation> = {}): Conversation => ({
  id: id as ConversationId,
  title: id,
  titleSource: 'auto',
  tipId: null,
  agentId: null,
  pinned: false,
  archived: false,
  createdAt: updatedAt,
  updatedAt,
  ...more,
});
const at = (day: number, hour = 12, month = 10, year = 2026) => new Date(year, month, day, hour).getTime();

describe('groupConversations', () => {
  it('U1: puts pinned first, then today, yesterday, the last seven days and months', () => {
    const rows = groupConversations(
      [
        made('old pin', at(1, 0, 0), { pinned: true }),
        made('this morning', at(30, 0)),
        made('last night', at(29, 23)),
        made('a week ago', at(23)),
        made('earlier this month', at(22)),
        made('october', at(30, 12, 9)),
        made('last year', at(5, 12, 11, 2025)),
      ],
      now,
    );
    expect(rows.map((row) => (row.type === 'group' ? row.key.replace(/\d+/, '') : row.conversation.title))).toEqual([
      'pinned',
      'old pin',
      'today',
      'this morning',
      'yesterday',
      'last night',
      'week',
      'a week ago',
      'month ',
      'earlier this month',
      'month ',
      'october',
      'month ',
      'last year',
    ]);
  });

  it('U1: a clock that went back puts nothing before today', () => {
    expect(groupConversations([made('tomorrow', now + 86_400_000)], now)[0]).toMatchObject({ group: 'today' });
  });

  it('U1: names a month, and its year when it is another one', () => {
    expect(monthLabel(at(1, 0, 9), now, 'en')).toBe('October');
    expect(monthLabel(at(1, 0, 11, 2025), now, 'en')).toBe('December 2025');
    expect(monthLabel(at(1, 0, 9), now, 'ru')).toBe('Октябрь');
  });

  it('U1: always keeps every conversation once and in order, each group once', () => {
    const ages = fc.array(fc.record({ ago: fc.integer({ min: 0, max: 800 * 86_400_000 }), pinned: fc.boolean() }), { maxLength: 60 });
    void fc.assert(
      fc.property(ages, (list) => {
        const sorted = list
          .map((entry, index) => made(`c${index}`, now - entry.ago, { pinned: entry.pinned }))
          .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt);
        const rows = groupConversations(sorted, now);
        expect(rows.flatMap((row) => (row.type === 'conversation' ? [row.conversation] : []))).toEqual(sorted);
        const groups = rows.flatMap((row) => (row.type === 'group' ? [row.key] : []));
        expect(new Set(groups).size).toBe(groups.length);
      }),
    );
  });
});
