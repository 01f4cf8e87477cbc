// Which calls run, ask or are refused in each mode, and what an answer allows (A4).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalAnswerSchema } from '../../../../shared/model/approval';
import { type ToolNeed, toolNeedSchema } from '../../../../shared/model/tool';
import { answerApproval } from './answers';
import { type ApprovalMode, decide, scopeKey } from './policy';

const read: ToolNeed = { kind: 'read', path: '/w/a.ts', outside: false };
const readOut: ToolNeed = { kind: 'read', path: '/etc/hosts', outside: true };
const edit: ToolNeed = { kind: 'edit', path: '/w/a.ts', outside: false, guarded: false };
const editOut: ToolNeed = { kind: 'edit', path: '/x/a.ts', outside: true, guarded: false };
const editHook: ToolNeed = { kind: 'edit', path: '/w/.git/hooks/pre-commit', outside: false, guarded: true };
const command: ToolNeed = { kind: 'command', line: 'npm test', folder: '/w' };
const host: ToolNeed = { kind: 'host', host: 'example.com', isPrivate: false, addresses: ['1.2.3.4'] };
const all = [read, readOut, edit, editOut, editHook, command, host];
const none: ReadonlySet<string> = new Set();
const modes: ApprovalMode[] = ['ask', 'auto-edit', 'read-only'];

const pending = { needs: [command, readOut] };

describe('modes', () => {
  it('A4: each mode asks, allows and refuses what it says', () => {
    const table = modes.map((mode) => all.map((need) => decide(mode, [need], none).type));
    expect(table).toEqual([
      ['allow', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask'],
      ['allow', 'ask', 'allow', 'ask', 'ask', 'ask', 'ask'],
      ['allow', 'ask', 'refuse', 'refuse', 'refuse', 'refuse', 'ask'],
    ]);
  });

  it('A4: reading only holds whatever was allowed before', () => {
    for (const need of [edit, editOut, command]) expect(decide('read-only', [need], new Set([scopeKey(need)])).type).toBe('refuse');
  });

  it('A3, A4: one thing that is not allowed holds the whole call, and only it is asked about', () => {
    expect(decide('auto-edit', [read, edit, editOut, host], new Set([scopeKey(host)]))).toEqual({ type: 'ask', needs: [editOut] });
    expect(decide('ask', [], none)).toEqual({ type: 'allow' });
  });
});

describe('answers', () => {
  it('A4: once holds for the call alone, conversation for the same thing again', () => {
    const once = answerApproval(pending, { type: 'once' });
    expect(once).toEqual({ type: 'granted', call: pending.needs.map(scopeKey), conversation: [] });
    const lasting = answerApproval(pending, { type: 'conversation' });
    if (lasting.type !== 'granted') throw new Error('not granted');
    const grants = new Set(lasting.conversation);
    expect(decide('ask', pending.needs, grants)).toEqual({ type: 'allow' });
    for (const other of [
      { ...command, line: 'npm test; rm x' },
      { ...command, folder: '/w/sub' },
      { ...readOut, path: '/etc/passwd' },
      editOut,
      host,
    ])
      expect(decide('ask', [other], grants).type).toBe('ask');
  });

  it('A4: leave to read is no leave to write, and a name that now leads to a private address is asked about again', () => {
    expect(decide('ask', [{ ...editOut, path: readOut.path }], new Set([scopeKey(readOut)])).type).toBe('ask');
    const inner = { ...host, isPrivate: true };
    expect(decide('ask', [inner], new Set([scopeKey(host)])).type).toBe('ask');
    expect(decide('ask', [host, inner], new Set([scopeKey(inner)])).type).toBe('allow');
  });

  it('A4: what is denied comes back to the model as an error with the words', () => {
    expect(answerApproval(pending, { type: 'deny', words: ' use pnpm ' })).toEqual({
      type: 'denied',
      result: {
        summary: 'Denied by the user; it has not run',
        content: 'Denied by the user; it has not run. The user says: use pnpm',
        isError: true,
        outcome: 'denied',
      },
    });
    expect(answerApproval(pending, { type: 'deny', words: '' })).toMatchObject({ result: { isError: true } });
  });

  it('A4: what a call needs is the same after a restart, and an answer is one of three', () => {
    const stored: unknown[] = JSON.parse(JSON.stringify(all));
    expect(stored.map((need) => toolNeedSchema.parse(need))).toEqual(all);
    for (const broken of [{}, { kind: 'everything' }, { ...edit, path: 5 }]) expect(toolNeedSchema.safeParse(broken).success).toBe(false);
    for (const answer of [{ type: 'once' }, { type: 'conversation' }, { type: 'deny', words: '' }])
      expect(approvalAnswerSchema.parse(answer)).toEqual(answer);
    for (const broken of [{ type: 'always' }, { type: 'deny' }, { type: 'deny', words: 'x'.repeat(4001) }])
      expect(approvalAnswerSchema.safeParse(broken).success).toBe(false);
  });

  it('A4: different things never share a scope', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '/', 'private ', 'host ') });
    const need: fc.Arbitrary<ToolNeed> = fc.oneof(
      fc.record({ kind: fc.constant('read' as const), path: text.map((name) => `/${name}`), outside: fc.constant(true) }),
      fc.record({
        kind: fc.constant('edit' as const),
        path: text.map((name) => `/${name}`),
        outside: fc.constant(true),
        guarded: fc.constant(false),
      }),
      // A folder's name may hold a line feed too.
      fc.record({ kind: fc.constant('command' as const), line: text, folder: text.map((name) => `/${name}`) }),
      fc.record({
        kind: fc.constant('host' as const),
        host: fc.constantFrom('a', 'b:1'),
        isPrivate: fc.boolean(),
        addresses: fc.constant<string[]>([]),
      }),
    );
    fc.assert(
      fc.property(need, need, (a, b) => {
        expect(scopeKey(a) === scopeKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 2000 },
    );
  });
});
