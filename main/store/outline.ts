// What the navigator asks of a conversation's tree (U5, N6): its runs with their lines, more lines, a search in all of it, and a preview.
// Runs in main for small trees and in a thread for large ones.
import { assertNever } from '../../shared/model/assertNever';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import type { Outline, OutlineHits, OutlinePreview, OutlineRun, OutlineTurn } from '../../shared/model/outline';
import { foldForSearch } from '../../shared/text/foldForSearch';
import type { OutlineIndex, Run, Spot } from '../../shared/tree/outline';
import { requireConversation } from './conversations';
import { type ReadableDb, select, snapshot } from './database';
import { outlineIndexOf } from './outlineIndex';
import { marksOf, type TurnMarks } from './outlineMarks';
import { readTurn, type TurnWords, wordsOf } from './outlineText';
import { withTree } from './repair';
import { effectiveTip } from './tips';

/** Between two lines that are shown, so few are shown too. */
const smallGap = 2;
/** Turns that one search gives. */
const mostHits = 500;
const previewLength = 400;
/** Messages of a turn that a preview reads. */
const mostSteps = 200;

type Reading = { db: ReadableDb; index: OutlineIndex; marks: TurnMarks };

function reading(db: ReadableDb, conversationId: ConversationId): Reading {
  const { index, interrupted } = outlineIndexOf(db, conversationId);
  return { db, index, marks: marksOf(db, conversationId, index, interrupted) };
}

/** Throws `notFound` when there is no such conversation. */
export function readOutline(db: ReadableDb, { conversationId }: { conversationId: ConversationId }): Outline {
  return snapshot(db, () => {
    const conversation = requireConversation(db, conversationId);
    const { tip } = withTree(db, conversationId, (tree) => effectiveTip(db, tree, conversation));
    const all = reading(db, conversationId);
    const runs = inOrder(all.index);
    const place = new Map(runs.map((run, at) => [run, at]));
    const spot = tip ? all.index.spot(tip.id) : undefined;
    return {
      runs: runs.map((run): OutlineRun => {
        const parent = all.index.parentRun(run);
        const shown = shownTurns(run, all.marks.get(run), spot?.run === run ? spot.at : null);
        return {
          id: idAt(all.index, run.first),
          parent: parent ? (place.get(parent) ?? -1) : -1,
          turns: run.starts.length,
          shown: shown.map((at) => turnOf(all, run, at)),
        };
      }),
      messages: all.index.size,
      tip: spot ? { run: place.get(spot.run) ?? 0, at: spot.at } : null,
    };
  });
}

/** Parents come before what hangs under them, also where a run was parted later. */
const inOrder = (index: OutlineIndex): Run[] => [...index.runs].sort((a, b) => a.first - b.first);
const idAt = (index: OutlineIndex, place: number) => (index.bones[place]?.id ?? '') as MessageId;

function shownTurns(run: Run, marked: ReadonlyMap<number, unknown> | undefined, tipAt: number | null): number[] {
  const last = run.starts.length - 1;
  const wanted = [...new Set([0, ...(marked?.keys() ?? []), ...(tipAt === null ? [] : [tipAt]), last])].sort((a, b) => a - b);
  const shown: number[] = [];
  for (const at of wanted) {
    const before = shown.at(-1);
    if (before !== undefined && at - before - 1 <= smallGap) for (let each = before + 1; each < at; each++) shown.push(each);
    shown.push(at);
  }
  return shown;
}

function turnOf({ db, index, marks }: Reading, run: Run, at: number): OutlineTurn {
  const place = run.starts[at] ?? run.first;
  const { role, agentId, model, text, createdAt } = readTurn(db, idAt(index, place));
  const turn: OutlineTurn = { id: idAt(index, place), at, depth: index.depthAt(place), role, text, createdAt };
  if (agentId !== null) turn.agentId = agentId as AgentId;
  if (model !== null) turn.model = model;
  return Object.assign(turn, marks.get(run)?.get(at));
}

/** The lines of a gap, `from` up to, not including, `to`; empty when the run is gone. */
export function readOutlineTurns(
  db: ReadableDb,
  args: { conversationId: ConversationId; runId: MessageId; from: number; to: number },
): OutlineTurn[] {
  return snapshot(db, () => {
    const all = reading(db, args.conversationId);
    const run = all.index.spot(args.runId)?.run;
    if (!run) return [];
    const turns: OutlineTurn[] = [];
    for (let at = Math.max(0, args.from); at < Math.min(args.to, run.starts.length); at++) turns.push(turnOf(all, run, at));
    return turns;
  });
}

/** The turns in which a message holds every word, on all branches, in order of creation; case and accents do not matter. */
export function searchOutline(db: ReadableDb, args: { conversationId: ConversationId; query: string }): OutlineHits {
  const words = foldForSearch(args.query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return snapshot(db, () => hitsOf(reading(db, args.conversationId), holding(db, args.conversationId, words)));
}

function* holding(db: ReadableDb, conversationId: ConversationId, words: readonly string[]): Generator<string> {
  for (const { id, words: text } of wordsOf(db, conversationId)) {
    const folded = foldForSearch(text);
    if (words.every((word) => folded.includes(word))) yield id;
  }
}

/** The turns of these messages, in order of creation. */
export function turnsAt(db: ReadableDb, args: { conversationId: ConversationId; messageIds: readonly MessageId[] }): OutlineHits {
  return snapshot(db, () => hitsOf(reading(db, args.conversationId), args.messageIds));
}

function hitsOf(all: Reading, messageIds: Iterable<string>): OutlineHits {
  const place = new Map(inOrder(all.index).map((run, at) => [run, at]));
  const seen = new Set<string>();
  const hits: OutlineHits = [];
  for (const id of messageIds) {
    const spot = all.index.spot(id);
    if (!spot) continue;
    const run = place.get(spot.run) ?? 0;
    if (seen.has(`${run}:${spot.at}`)) continue;
    seen.add(`${run}:${spot.at}`);
    hits.push({ run, turn: turnOf(all, spot.run, spot.at) });
    if (hits.length >= mostHits) break;
  }
  return hits.sort((a, b) => a.run - b.run || a.turn.at - b.turn.at);
}

/** The first words of a turn's prompt and of its last answer. */
export function previewTurn(db: ReadableDb, args: { conversationId: ConversationId; messageId: MessageId }): OutlinePreview {
  return snapshot(db, () => {
    const { index } = outlineIndexOf(db, args.conversationId);
    const preview: OutlinePreview = { prompt: '', answer: '' };
    const spot = index.spot(args.messageId);
    let place = spot?.run.starts[spot.at];
    for (let steps = 0; spot && place !== undefined && steps < mostSteps; steps++) {
      if (!isOfTurn(index, place, spot)) break;
      addWords(preview, readTurn(db, idAt(index, place), previewLength));
      place = index.next(place) ?? answerBelow(index, spot.run, place, preview);
    }
    return preview;
  });
}

function addWords(preview: OutlinePreview, { role, text, agentId, model }: TurnWords): void {
  if (role !== 'assistant') preview.prompt ||= text;
  else if (text !== '')
    Object.assign(preview, { answer: text, ...(agentId === null ? {} : { agentId }), ...(model === null ? {} : { model }) });
}

/** In a run below it, the answer stands first. */
function isOfTurn(index: OutlineIndex, place: number, { run, at }: Spot): boolean {
  const here = index.spotAt(place);
  return here?.run === run ? here.at === at : here?.at === 0;
}

/** Where a prompt has several answers, they are runs of their own: the newest of them. */
function answerBelow(index: OutlineIndex, run: Run, place: number, { answer }: OutlinePreview): number | undefined {
  if (answer !== '' || place !== run.last) return undefined;
  return index.runs.findLast((each) => index.parentRun(each) === run && index.bones[each.first]?.role === 'assistant')?.first;
}

/** The same questions as data, for the thread. */
export type OutlineJob =
  | ({ type: 'read' } & Parameters<typeof readOutline>[1])
  | ({ type: 'turns' } & Parameters<typeof readOutlineTurns>[1])
  | ({ type: 'search' } & Parameters<typeof searchOutline>[1])
  | ({ type: 'at' } & Parameters<typeof turnsAt>[1])
  | ({ type: 'preview' } & Parameters<typeof previewTurn>[1]);
export type OutlineAnswers = { read: Outline; turns: OutlineTurn[]; search: OutlineHits; at: OutlineHits; preview: OutlinePreview };

export function answerOutline(db: ReadableDb, job: OutlineJob): OutlineAnswers[OutlineJob['type']] {
  switch (job.type) {
    case 'read':
      return readOutline(db, job);
    case 'turns':
      return readOutlineTurns(db, job);
    case 'search':
      return searchOutline(db, job);
    case 'at':
      return turnsAt(db, job);
    case 'preview':
      return previewTurn(db, job);
    default:
      return assertNever(job);
  }
}

/** Rows of a conversation, for who decides where it is read. */
export function countMessages(db: ReadableDb, conversationId: ConversationId): number {
  return select<{ rows: number }>(db, 'SELECT count(*) AS rows FROM messages WHERE conversation_id = ?').get(conversationId)?.rows ?? 0;
}
