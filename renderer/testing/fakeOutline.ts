// The navigator's questions answered from main in memory.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { Outline, OutlineTurn } from '../../shared/model/outline';
import { OutlineIndex } from '../../shared/tree/outline';
import { conversationOf, type FakeMain, messageOf } from './fakeMain';

const orpc = implement(contract);

const textOf = (main: FakeMain, id: string) => {
  const part = main.messages.get(id as MessageId)?.parts.find((each) => each.type === 'text');
  return part?.type === 'text' ? part.text : '';
};

function indexOf(main: FakeMain, conversationId: ConversationId): OutlineIndex {
  const own = [...main.messages.values()].filter((message) => message.conversationId === conversationId);
  return OutlineIndex.of(own.map(({ id, parentId, role, turnId }, at) => ({ seq: at + 1, id, parentId, role, turnId: turnId ?? null })));
}

function turnOf(main: FakeMain, index: OutlineIndex, id: string): OutlineTurn {
  const { role, agentId, createdAt } = messageOf(main, id as MessageId);
  const spot = index.spot(id);
  const held = [...main.messages.keys()].filter((each) => index.spot(each)?.run === spot?.run && index.spot(each)?.at === spot?.at);
  const label = main.labels.find((each) => held.includes(each.messageId))?.label;
  const checkpoint = main.checkpoints.find((each) => held.includes(each.messageId))?.label;
  const runs = [...main.live.values()].some((step) => held.includes(step.parentId));
  return {
    id: id as MessageId,
    at: spot?.at ?? 0,
    depth: index.depthAt(index.placeOf(id)),
    role,
    agentId,
    text: textOf(main, id).slice(0, 120),
    createdAt,
    label,
    checkpoint,
    state: runs ? 'running' : undefined,
  };
}

function outlineOf(main: FakeMain, conversationId: ConversationId): Outline {
  const index = indexOf(main, conversationId);
  const { tipId } = conversationOf(main, conversationId);
  const runs = [...index.runs].sort((a, b) => a.first - b.first);
  const tip = tipId ? index.spot(tipId) : undefined;
  return {
    messages: index.size,
    tip: tip ? { run: runs.indexOf(tip.run), at: tip.at } : null,
    runs: runs.map((run) => {
      const parent = index.parentRun(run);
      const turns = run.starts.map((place) => turnOf(main, index, index.bones[place]?.id ?? ''));
      const isShown = (turn: OutlineTurn) =>
        turns.length <= 4 ||
        turn.at === 0 ||
        turn.at === turns.length - 1 ||
        (tip?.run === run && tip.at === turn.at) ||
        turn.label !== undefined;
      return {
        id: (index.bones[run.first]?.id ?? '') as MessageId,
        parent: parent ? runs.indexOf(parent) : -1,
        turns: turns.length,
        shown: turns.filter(isShown),
      };
    }),
  };
}

const anchors = new WeakMap<FakeMain, readonly MessageId[]>();
/** The messages at which memory is anchored. */
export const setAnchors = (main: FakeMain, ids: readonly MessageId[]): unknown => anchors.set(main, ids);

export const outlineArea = (main: FakeMain) => ({
  read: orpc.outline.read.handler(({ input: { conversationId } }) => outlineOf(main, conversationId)),
  turns: orpc.outline.turns.handler(({ input: { conversationId, runId, from, to } }) => {
    const index = indexOf(main, conversationId);
    return (index.spot(runId)?.run.starts ?? []).slice(from, to).map((place) => turnOf(main, index, index.bones[place]?.id ?? ''));
  }),
  search: orpc.outline.search.handler(({ input: { conversationId, query } }) => {
    const index = indexOf(main, conversationId);
    const runs = [...index.runs].sort((a, b) => a.first - b.first);
    return runs.flatMap((run, at) =>
      run.starts.flatMap((place) => {
        const id = index.bones[place]?.id ?? '';
        return textOf(main, id).includes(query) ? [{ run: at, turn: turnOf(main, index, id) }] : [];
      }),
    );
  }),
  remembered: orpc.outline.remembered.handler(({ input: { conversationId } }) => {
    const index = indexOf(main, conversationId);
    const runs = [...index.runs].sort((a, b) => a.first - b.first);
    return (anchors.get(main) ?? []).flatMap((id) => {
      const spot = index.spot(id);
      return spot ? [{ run: runs.indexOf(spot.run), turn: turnOf(main, index, index.bones[spot.run.starts[spot.at] ?? 0]?.id ?? '') }] : [];
    });
  }),
  preview: orpc.outline.preview.handler(({ input: { messageId } }) => {
    const answer = main.children.get(messageId)?.[0];
    return {
      prompt: textOf(main, messageId),
      answer: answer ? textOf(main, answer) : '',
      agentId: answer && messageOf(main, answer).agentId,
    };
  }),
});
