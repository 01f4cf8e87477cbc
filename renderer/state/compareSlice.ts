// Comparing two branches (T13): what is asked, where they part, and their messages a page at a time as they are needed.
import { create } from 'zustand';
import type { Comparison, SideName } from '../../shared/model/comparison';
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { MessageView } from '../../shared/model/talkView';
import { alignBranches, type ComparedRow } from '../../shared/tree/alignBranches';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { goTo } from './talkActs';
import { talkState } from './talkStore';

/** Each branch by the message it ends with. */
export type CompareQuestion = { conversationId: ConversationId; left: MessageId; right: MessageId };
type Messages = ReadonlyMap<number, MessageView>;
type CompareState = {
  question: CompareQuestion | null;
  comparison: Comparison | null;
  rows: readonly ComparedRow[];
  /** By place among the branch's own messages. */
  messages: Record<SideName, Messages>;
  failure: Failure | null;
};
const nothing: Messages = new Map();
const noRows: readonly ComparedRow[] = [];
const blank: CompareState = {
  question: null,
  comparison: null,
  rows: noRows,
  messages: { left: nothing, right: nothing },
  failure: null,
};
const useCompare = create<CompareState>(() => blank);

export const useCompareQuestion = () => useCompare((state) => state.question);
export const useComparison = () => useCompare((state) => state.comparison);
export const useComparedRows = () => useCompare((state) => state.rows);
export const useCompareFailure = () => useCompare((state) => state.failure);
export const useComparedMessage = (side: SideName, place: number | null): MessageView | null =>
  useCompare((state) => (place === null ? null : (state.messages[side].get(place) ?? null)));

export function closeCompare(): void {
  pages.clear();
  useCompare.setState(blank);
}

/** Opens the dialog. */
export function askToCompare(question: CompareQuestion): void {
  pages.clear();
  useCompare.setState({ ...blank, question });
  client()
    .tree.compare(question)
    .then((comparison) => {
      ofQuestion(question, { comparison, rows: alignBranches(comparison.left.roles, comparison.right.roles) });
    })
    .catch((error: unknown) => ofQuestion(question, { failure: failureOf(error) }));
}

export function retryCompare(): void {
  const { question, comparison, rows } = useCompare.getState();
  if (!question) return;
  // New rows ask for their messages anew.
  if (comparison) useCompare.setState({ failure: null, rows: [...rows] });
  else askToCompare(question);
}

function ofQuestion(question: CompareQuestion, change: Partial<CompareState>): void {
  if (useCompare.getState().question === question) useCompare.setState(change);
}

/** The branch of a message, as it was left, beside the one the conversation goes on from. */
export async function compareWithTip(messageId: MessageId): Promise<void> {
  const { conversationId, path } = talkState();
  const right = path.tipId;
  if (!conversationId || !right) return;
  try {
    askToCompare({ conversationId, left: await client().tree.branchEnd({ conversationId, messageId }), right });
  } catch (error) {
    showFailure(error);
  }
}

/** The branch of the version before or after a message of the path beside the path; the older one is the left one. */
export async function compareVersions(messageId: MessageId, version: 'previous' | 'next'): Promise<void> {
  const { conversationId, path } = talkState();
  const tip = path.tipId;
  if (!conversationId || !tip) return;
  try {
    const other = await client().tree.branchEnd({ conversationId, messageId, version });
    askToCompare({ conversationId, ...(version === 'previous' ? { left: other, right: tip } : { left: tip, right: other }) });
  } catch (error) {
    showFailure(error);
  }
}

/** The conversation goes on from the end of this side; a turn that ran on there meanwhile is followed (T12). */
export async function goOnFrom(side: SideName): Promise<void> {
  const { question, comparison } = useCompare.getState();
  closeCompare();
  if (!question || !comparison) return;
  const { endId, roles } = comparison[side];
  const { conversationId } = question;
  try {
    // What both share is on the path, whose end is another one.
    await goTo(roles.length === 0 ? endId : await client().tree.branchEnd({ conversationId, messageId: endId }));
  } catch (error) {
    showFailure(error);
  }
}

const pageSize = 50;
/** On their way or here, by side and number. */
const pages = new Map<string, Promise<void>>();

function loadPage(side: SideName, page: number): Promise<void> {
  const key = `${side} ${page}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const loading = readPage(side, page).catch((error: unknown) => {
    pages.delete(key);
    throw error;
  });
  pages.set(key, loading);
  return loading;
}

async function readPage(side: SideName, page: number): Promise<void> {
  const { question, comparison } = useCompare.getState();
  if (!question || !comparison) return;
  const top = (comparison.shared?.depth ?? -1) + 1;
  const from = page * pageSize;
  const count = Math.min(pageSize, comparison[side].roles.length - from);
  const { items } = await client().tree.branchSlice({ endId: comparison[side].endId, offset: top + from, count });
  const { messages } = useCompare.getState();
  const merged = new Map([...messages[side], ...items.map((item, at): [number, MessageView] => [from + at, item])]);
  ofQuestion(question, { messages: { ...messages, [side]: merged } });
}

const placesOf = (row: ComparedRow | undefined) =>
  (['left', 'right'] as const).flatMap((side): [SideName, number][] => {
    const place = row?.[side];
    return place === null || place === undefined ? [] : [[side, place]];
  });

/** Loads what the rows `from` up to, not including, `to` show. */
export async function loadRows(from: number, to: number): Promise<void> {
  const { question, rows } = useCompare.getState();
  if (!question) return;
  const wanted = rows.slice(Math.max(0, from), to).flatMap(placesOf);
  try {
    await Promise.all(wanted.map(([side, place]) => loadPage(side, Math.floor(place / pageSize))));
  } catch (error) {
    ofQuestion(question, { failure: failureOf(error) });
  }
}

/** Both messages of a row; null where a side has none, or it cannot be read. */
export async function messagesOfRow(index: number): Promise<Record<SideName, MessageView | null>> {
  await loadRows(index, index + 1);
  const { rows, messages } = useCompare.getState();
  const at = (side: SideName) => messages[side].get(rows[index]?.[side] ?? -1) ?? null;
  return { left: at('left'), right: at('right') };
}
