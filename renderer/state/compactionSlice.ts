// Passes by hand (K2, K3): the preview over the composer, the pass that runs, what came of it, and undo. One of these a conversation.
import { create } from 'zustand';
import type { Failure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../shared/model/ids';
import type { MemoryView, PassEnd, PassReceipt, Rung, RungPreview } from '../../shared/model/memoryView';
import { failureOf } from '../bridge';
import { focusComposerEvent, tellWindowSoon } from '../focusEvents';
import { client } from './client';
import { nextAgentNow } from './nextAgent';
import { talkState } from './talkStore';

export type PassAsk = { type: 'compact'; rung: Rung | null; focus: string | null } | { type: 'shake'; what: 'results' | 'images' | null };
export type HandPlace = { conversationId: ConversationId; agentId: AgentId | null };
type Made = NonNullable<PassReceipt['record']>;
type Shown =
  | { type: 'preview'; rungs: RungPreview[] | null }
  | { type: 'running'; ask: PassAsk }
  /** `why`: what the named rung says where it did nothing. */
  | { type: 'ended'; ask: PassAsk; end: PassEnd; why: string | null }
  /** A pass was undone, or holds again; `tokens` of the next request then. */
  | { type: 'turned'; made: Made; isUndone: boolean; tokens: number }
  | { type: 'nothingToUndo' }
  | { type: 'failed'; failure: Failure };
/** Of one path: with another tip, what is said here is about something else. */
export type Strip = Shown & { place: HandPlace; tipId: MessageId | null };

type CompactionState = {
  strips: ReadonlyMap<ConversationId, Strip>;
  /** The dialog of `/context`. */
  context: { place: HandPlace; view: MemoryView | null; rungs: RungPreview[] | null; failure: Failure | null } | null;
};
const useStore = create<CompactionState>(() => ({ strips: new Map(), context: null }));

export const useStrip = (conversationId: ConversationId | null): Strip | null =>
  useStore(({ strips }) => (conversationId ? strips.get(conversationId) : null) ?? null);
export const useContextDialog = () => useStore((state) => state.context);

function put(place: HandPlace, shown: Shown | null): void {
  const strips = new Map(useStore.getState().strips);
  if (shown) strips.set(place.conversationId, { ...shown, place, tipId: tipOf(place) });
  else strips.delete(place.conversationId);
  useStore.setState({ strips });
}
/** What is said of a conversation that was left meanwhile stands at the place it had. */
function tipOf({ conversationId }: HandPlace): MessageId | null {
  const talk = talkState();
  return talk.conversationId === conversationId ? talk.path.tipId : (useStore.getState().strips.get(conversationId)?.tipId ?? null);
}
const stripOf = ({ conversationId }: HandPlace) => useStore.getState().strips.get(conversationId);
/** What was said of a pass that did nothing goes like any answer to a command: with the next keystroke, or the next command. */
export function clearSaidNothing(): void {
  const { conversationId } = talkState();
  const strip = conversationId ? useStore.getState().strips.get(conversationId) : undefined;
  const said =
    strip?.type === 'nothingToUndo' || (strip?.type === 'ended' && (strip.end.type === 'nothing' || strip.end.type === 'already'));
  if (strip && said) put(strip.place, null);
}
export const isPassRunning = (conversationId: ConversationId) => useStore.getState().strips.get(conversationId)?.type === 'running';

/** Null: nothing was said in this conversation yet. */
export function placeHere(): HandPlace | null {
  const { conversationId, path } = talkState();
  return conversationId && path.tipId !== null ? { conversationId, agentId: nextAgentNow().agent?.id ?? null } : null;
}

export async function previewPass(place: HandPlace): Promise<void> {
  put(place, { type: 'preview', rungs: null });
  try {
    const rungs = await client().memory.preview(place);
    if (stripOf(place)?.type === 'preview') put(place, { type: 'preview', rungs });
  } catch (error) {
    if (stripOf(place)?.type === 'preview') put(place, { type: 'failed', failure: failureOf(error) });
  }
}

/** Answers at the end of the pass; the composer goes on meanwhile. */
export async function runPass(place: HandPlace, ask: PassAsk): Promise<void> {
  put(place, { type: 'running', ask });
  try {
    const end = await passOf(place, ask);
    put(place, end.type === 'stopped' ? null : { type: 'ended', ask, end, why: whyNothing(ask, end) });
  } catch (error) {
    put(place, { type: 'failed', failure: failureOf(error) });
  }
}
const passOf = (place: HandPlace, ask: PassAsk) =>
  ask.type === 'compact'
    ? client().memory.compact({ ...place, rung: ask.rung, focus: ask.focus })
    : client().memory.shake({ ...place, what: ask.what });

export function namedRung(ask: PassAsk): Rung | null {
  if (ask.type === 'compact') return ask.rung;
  return ask.what === null ? null : ask.what === 'results' ? 'elide' : 'images';
}

/** Why a rung that was named had nothing to do; null where the line says so without it. */
function whyNothing(ask: PassAsk, end: PassEnd): string | null {
  if (end.type !== 'nothing' && end.type !== 'already') return null;
  const named = namedRung(ask);
  const why = end.failures.find(({ rung }) => rung === named)?.reason ?? null;
  const isSaid = why === 'already' || (why === 'nothing' && (ask.type === 'shake' || named === 'summary'));
  return isSaid ? null : why;
}

export async function stopPassHere(place: HandPlace): Promise<void> {
  try {
    await client().memory.stop(place);
  } catch (error) {
    put(place, { type: 'failed', failure: failureOf(error) });
  }
}

/** The one named, else the newest that holds on this path. */
export async function undoPass(place: HandPlace, recordId: RecordId | null): Promise<void> {
  try {
    const before = recordId ? [] : undoneIn(await client().memory.view(place));
    const view = await client().memory.undo({ ...place, recordId });
    const undone = view.receipts.find(({ record }) => record?.undone && (recordId ? record.id === recordId : !before.includes(record.id)));
    put(place, undone?.record ? { type: 'turned', made: undone.record, isUndone: true, tokens: view.tokens } : null);
  } catch (error) {
    const failure = failureOf(error);
    put(place, failure.code === 'notFound' ? { type: 'nothingToUndo' } : { type: 'failed', failure });
  }
}
const undoneIn = ({ receipts }: MemoryView) => receipts.flatMap(({ record }) => (record?.undone ? record.id : []));

export async function redoPass({ conversationId, agentId }: HandPlace, made: Made): Promise<void> {
  const place = { conversationId, agentId };
  try {
    if (!agentId) return;
    const view = await client().memory.redo({ conversationId, agentId, recordId: made.id });
    put(place, { type: 'turned', made, isUndone: false, tokens: view.tokens });
  } catch (error) {
    put(place, { type: 'failed', failure: failureOf(error) });
  }
}

export function closeStrip(place: HandPlace): void {
  put(place, null);
  tellWindowSoon(focusComposerEvent);
}

export async function showContext(place: HandPlace): Promise<void> {
  useStore.setState({ context: { place, view: null, rungs: null, failure: null } });
  const take = (part: Partial<NonNullable<CompactionState['context']>>) =>
    useStore.setState(({ context }) => ({ context: context?.place === place ? { ...context, ...part } : context }));
  try {
    const [view, rungs] = await Promise.all([client().memory.view(place), client().memory.preview(place)]);
    take({ view, rungs });
  } catch (error) {
    take({ failure: failureOf(error) });
  }
}
export const closeContext = () => useStore.setState({ context: null });

/** For tests: the window outlives what they show. */
export function resetCompaction(): void {
  useStore.setState({ strips: new Map(), context: null }, true);
}
