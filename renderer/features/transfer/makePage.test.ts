// @vitest-environment jsdom
// The page that leaves the window: it stands alone, folds, and nothing that was written in it can act (I1, Z2).
import { describe, expect, it } from 'vitest';
import type { ExportRequest, ExportRow, ExportRows } from '../../../shared/model/export';
import type { BlobHash, ConversationId, MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import { words } from '../../i18n';
import { makePage } from './makePage';

const hash = 'a'.repeat(64) as BlobHash;
const message = (id: string, more: Partial<Message> = {}): Message => ({
  id: id as MessageId,
  conversationId: 'cnv_1' as ConversationId,
  parentId: null,
  role: 'user',
  status: 'complete',
  parts: [{ type: 'text', text: `text of ${id}` }],
  createdAt: Date.UTC(2026, 10, 30, 10, 0),
  ...more,
});
const row = (of: Message, more: Partial<ExportRow> = {}): ExportRow => ({
  message: of,
  leaving: [],
  onBranch: false,
  last: false,
  results: {},
  files: {},
  ...more,
});
const request = (more: Partial<ExportRequest> = {}): ExportRequest => ({
  exportId: 'export-0001',
  conversationId: 'cnv_1' as ConversationId,
  messageId: null,
  scope: 'tree',
  format: 'html',
  include: { toolCalls: true, reasoning: true, attachments: true, memory: true },
  ...more,
});
const say = (key: string, values: object = {}) => String(words.t(`transfer:${key}` as never, values as never));
const slice = (rows: ExportRow[], more: Partial<ExportRows> = {}): ExportRows => ({
  first: true,
  last: true,
  title: 'A </title><script>1</script>',
  exportedAt: Date.UTC(2026, 10, 30, 12, 4),
  agents: [],
  rows,
  ...more,
});
const pageOf = async (rows: ExportRows, ask = request()) => new DOMParser().parseFromString(await makePage(rows, ask, say), 'text/html');

describe('a page', () => {
  it('I1, Z2: refuses by its own policy whatever would run or load, and says its title as text', async () => {
    const page = await pageOf(slice([row(message('a'), { last: true })]));
    const policy = page.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect([page.querySelector('script'), page.title]).toEqual([null, 'A </title><script>1</script>']);
    expect(page.querySelector('style')?.textContent).not.toMatch(/url|@import/);
  });

  it('I1: branches fold, and lead to where they left and back, over slices', async () => {
    const first = slice([row(message('a'), { leaving: ['c' as MessageId] }), row(message('b'), { last: true })], { last: false });
    const from = { id: 'a' as MessageId, start: 'text <b>', branch: 2, branches: 2, messages: 2 };
    const second = slice([row(message('c'), { from, onBranch: true })], { first: false, last: false });
    const third = slice([row(message('d'), { onBranch: true, last: true })], { first: false });
    let html = '';
    for (const one of [first, second, third]) html += await makePage(one, request(), say);
    const page = new DOMParser().parseFromString(html, 'text/html');
    const branch = page.querySelector('details.branch');
    expect(branch?.querySelector('summary')?.textContent).toBe('Branch 2 of 2 under “text <b>” · 2 messages');
    expect([...(branch?.querySelectorAll('article') ?? [])].map(({ id }) => id)).toEqual(['m-c', 'm-d']);
    expect(page.querySelector('#m-a a')?.getAttribute('href')).toBe('#m-c');
    expect(branch?.querySelector('a')?.getAttribute('href')).toBe('#m-a');
    expect(html.trimEnd().endsWith('</html>')).toBe(true);
  });

  it('I1: calls, reasoning and raw parts are folded, and open on paper; everything in them is text', async () => {
    const parts: Message['parts'] = [
      { type: 'reasoning', text: 'Hm <script>1</script>' },
      { type: 'toolCall', callId: '__proto__', name: '<b>read', arguments: '{"a":"<img src=x>"}' },
      { type: 'raw', source: 'x', json: '{"<i>":1}' },
    ];
    const rows = slice([row(message('a', { role: 'assistant', parts }), { last: true })]);
    const page = await pageOf(rows);
    expect([...page.querySelectorAll('details')].map((one) => one.open)).toEqual([false, false, false]);
    expect(page.querySelectorAll('article script, article img, article b, article i')).toHaveLength(0);
    expect(page.querySelectorAll('summary')[1]?.textContent).toBe('<b>read: no result');
    const paper = await pageOf(rows, request({ format: 'pdf' }));
    expect([...paper.querySelectorAll('details')].every((one) => one.open)).toBe(true);
  });

  it('I1, I4: attachments come along as pictures or as files to save; a lost one is said; left out when not asked for', async () => {
    const file = { type: 'file', hash, mime: 'text/html', name: 'a".html', size: 3 } as const;
    const parts: Message['parts'] = [{ type: 'image', hash, mime: 'image/png', name: 'p.png', size: 3 }, { ...file }];
    const rows = (files: ExportRow['files']) => slice([row(message('a', { parts }), { last: true, files })]);
    const page = await pageOf(rows({ [hash]: 'AQID' }));
    expect(page.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AQID');
    const link = page.querySelector('article a');
    expect([link?.getAttribute('href'), link?.getAttribute('download')]).toEqual(['data:application/octet-stream;base64,AQID', 'a".html']);
    expect((await pageOf(rows({ [hash]: null }))).querySelector('article')?.textContent).toContain('p.png (3 bytes): its content');
    const bare = request({ include: { ...request().include, attachments: false } });
    expect((await pageOf(rows({}), bare)).querySelector('article')?.textContent).not.toContain('p.png');
  });
});
