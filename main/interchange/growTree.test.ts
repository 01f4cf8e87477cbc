// Trees from records: whatever parents say, everything that can be shown is there once, and the walk ends (T7).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growTree } from './growTree';
import type { SourceNode } from './importedTree';
import { countsOf, pathOf, readContent } from './importFixture';

const node = (id: string, parentId: string | null, more: Partial<SourceNode> = {}): SourceNode => ({
  id,
  parentId,
  kind: 'message',
  role: 'user',
  parts: [{ type: 'text', text: id }],
  time: null,
  ...more,
});

const ids = ['a', 'b', 'c', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'f', 'g', 'h'];
const anyNode = fc.record({
  id: fc.constantFrom(...ids),
  parentId: fc.option(fc.constantFrom(...ids, 'missing')),
  kind: fc.constantFrom<SourceNode['kind'][]>('message', 'message', 'foldDown', 'foldUp', 'hidden'),
  standsAlone: fc.boolean(),
  role: fc.constantFrom<('user' | 'assistant')[]>('user', 'assistant'),
  time: fc.option(fc.integer({ min: 1, max: 20 })),
});

describe('growing a tree', () => {
  it('T7, I3: always: each message once, after its parent, no ring, the tip one of them, no record uncounted', () => {
    fc.assert(
      fc.property(
        fc.array(anyNode, { maxLength: 25 }),
        fc.option(fc.constantFrom(...ids, 'nowhere')),
        fc.constantFrom<('time' | 'file')[]>('time', 'file'),
        fc.constantFrom<('leaf' | 'sibling')[]>('leaf', 'sibling'),
        (made, pointer, order, fallback) => {
          const nodes = made.map((one, at): SourceNode => ({ ...one, parts: [{ type: 'text', text: `text ${at}` }] }));
          const tree = growTree({ nodes, pointer, order, fallback }, 'test');
          const seen = new Set<string>();
          for (const { sourceId, parentId, recovered } of tree.messages) {
            expect(seen.has(sourceId)).toBe(false);
            if (parentId !== null && !recovered) expect(seen.has(parentId)).toBe(true);
            seen.add(sourceId);
          }
          expect(tree.tipId === null ? tree.messages.length : seen.has(tree.tipId)).toBe(tree.tipId === null ? 0 : true);
          expect(tree.messages.length + tree.folded + tree.hidden).toBe(nodes.length);
          const told = JSON.stringify(tree.messages.map(({ parts }) => parts));
          const lost = nodes.filter(({ kind }, at) => kind !== 'hidden' && !new RegExp(`text ${at}\\D`).test(told)).length;
          const leftOut = [...tree.leftOut].reduce((sum, [, number]) => sum + number, 0) - tree.hidden;
          expect(lost).toBe(leftOut);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('T7: a chain of 100,000 in any order of the file is walked without a stack', () => {
    const nodes = Array.from({ length: 100_000 }, (_, at) => node(`n${at}`, at === 0 ? null : `n${at - 1}`)).reverse();
    const tree = growTree({ nodes, pointer: 'n99999', fallback: 'leaf', order: 'time' }, 'test');
    expect(tree.messages).toHaveLength(100_000);
    expect(tree.messages.at(-1)?.sourceId).toBe('n99999');
    expect(tree.tipId).toBe('n99999');
  });

  it('T7: a ring of 100,000 is opened at its first message', () => {
    const nodes = Array.from({ length: 100_000 }, (_, at) => node(`n${at}`, `n${(at + 99_999) % 100_000}`));
    const tree = growTree({ nodes, pointer: null, fallback: 'leaf', order: 'file' }, 'test');
    expect(tree.messages.filter(({ recovered }) => recovered).map(({ sourceId }) => sourceId)).toEqual(['n0']);
    expect(tree.tipId).toBe('n99999');
  });

  it('I3: records that many answers share do not multiply without bounds', () => {
    const thoughts = Array.from({ length: 2000 }, (_, at) =>
      node(`t${at}`, at === 0 ? null : `t${at - 1}`, {
        kind: 'foldDown',
        role: 'assistant',
        parts: [{ type: 'reasoning', text: `t${at}` }],
      }),
    );
    const answers = Array.from({ length: 2000 }, (_, at) => node(`a${at}`, 't1999', { role: 'assistant' }));
    const tree = growTree({ nodes: [...thoughts, ...answers], pointer: null, fallback: 'leaf', order: 'file' }, 'test');
    const parts = tree.messages.reduce((sum, message) => sum + message.parts.length, 0);
    expect(parts).toBeGreaterThanOrEqual(4000);
    expect(parts).toBeLessThan(30_000);
  });
});

describe('random trees through the formats', () => {
  const parents = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
  const shape = (list: number[]) =>
    list.map((parent, at) => ({ id: `m${at}`, parent: at === 0 || parent % 7 === 0 ? null : `m${parent % at}` }));
  const wanted = (nodes: { id: string; parent: string | null }[]) => new Map(nodes.map(({ id, parent }) => [id, parent]));
  const role = (at: number) => (at % 2 === 0 ? 'user' : 'assistant');
  const writers: Record<string, (nodes: ReturnType<typeof shape>) => [content: unknown, name?: string]> = {
    chatgpt: (nodes) => [
      [
        {
          id: 'c',
          mapping: Object.fromEntries(
            nodes.map(({ id, parent }, at) => [
              id,
              { id, parent, message: { author: { role: role(at) }, create_time: at + 1, content: { content_type: 'text', parts: [id] } } },
            ]),
          ),
          current_node: nodes.at(-1)?.id,
        },
      ],
    ],
    claude: (nodes) => [
      [
        {
          uuid: 'c',
          chat_messages: nodes.map(({ id, parent }, at) => ({
            uuid: id,
            parent_message_uuid: parent,
            sender: at % 2 ? 'assistant' : 'human',
            text: id,
          })),
          current_leaf_message_uuid: nodes.at(-1)?.id,
        },
      ],
    ],
    openwebui: (nodes) => [
      [
        {
          id: 'c',
          chat: {
            history: {
              currentId: nodes.at(-1)?.id,
              messages: Object.fromEntries(
                nodes.map(({ id, parent }, at) => [
                  id,
                  { id, parentId: parent, role: role(at), content: id, timestamp: 1_700_000_000 + at },
                ]),
              ),
            },
          },
        },
      ],
    ],
    librechat: (nodes) => [
      {
        conversationId: 'c',
        messages: nodes.map(({ id, parent }, at) => ({
          messageId: id,
          parentMessageId: parent ?? '00000000-0000-0000-0000-000000000000',
          isCreatedByUser: at % 2 === 0,
          text: id,
        })),
      },
    ],
    pi: (nodes) => [
      [
        { type: 'session', version: 3, id: 'c', timestamp: '2026-01-01T00:00:00Z' },
        ...nodes.map(({ id, parent }, at) => ({
          type: 'message',
          id,
          parentId: parent,
          timestamp: `2026-01-01T00:${String(at).padStart(2, '0')}:00Z`,
          message: { role: role(at), content: [{ type: 'text', text: id }] },
        })),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    ],
    llamacpp: (nodes) => [
      [
        { type: 'session', harness: 'llama.app', id: 'c', currNode: nodes.at(-1)?.id },
        ...nodes.map(({ id, parent }, at) => ({
          type: 'message',
          message: { id, parent, convId: 'c', role: role(at), content: id, timestamp: 1_700_000_000_000 + at },
        })),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    ],
  };
  it.each(Object.keys(writers))('I3, T7: %s keeps every branch, and the tip where the format names one', async (format) => {
    await fc.assert(
      fc.asyncProperty(parents, async (list) => {
        const nodes = shape(list);
        const read = await readContent(...writers[format]!(nodes));
        expect(read.formats).toEqual([format]);
        const [conversation] = read.conversations;
        expect(new Map(conversation!.messages.map(({ sourceId, parentId }) => [sourceId, parentId]))).toEqual(wanted(nodes));
        expect(countsOf(conversation!).recoveredRoots).toBe(0);
        if (format !== 'librechat') expect(pathOf(conversation!).at(-1)?.sourceId).toBe(nodes.at(-1)?.id);
      }),
      { numRuns: 20 },
    );
  });
});
