// What stands earlier on a path, for the tool `recall`: texts of messages, and what the agent's own calls gave back (A2). Only what is on the
// path: nothing of another branch is found.
import type { AgentId, BlobHash, ConversationId, MessageId } from '../../shared/model/ids';
import { type Message, textOf } from '../../shared/model/message';
import type { StepResult } from '../../shared/model/transcript';
import { foldForSearch } from '../../shared/text/foldForSearch';
import type { ReadableDb } from '../store/database';
import { readPath } from '../store/messages';
import { transcriptStepsOf } from '../store/transcriptSteps';
import type { BlobStore } from '../transcript/blobs';
import type { Transcripts } from '../transcript/transcripts';
import type { PastPlace, ToolPast } from './tools/common/definition';

type Deps = { db: ReadableDb; transcripts: Pick<Transcripts, 'steps'>; blobs: Pick<BlobStore, 'read'> };
type Place = { conversationId: ConversationId; agentId: AgentId; headId: MessageId };

/** Places given by one search. */
const mostFound = 20;
/** Messages whose results are read at a time. */
const slice = 50;
const excerptLength = 240;

export function pastReader(deps: Deps, place: Place): ToolPast {
  return {
    read: async (id) => (await resultWith(deps, place, id)) ?? messageWith(deps, place, id),
    search: (query, signal) => search(deps, place, query, signal),
  };
}

async function resultWith(deps: Deps, place: Place, callId: string): Promise<{ name: string; text: string } | null> {
  const path = readPath(deps.db, place.headId);
  const message = path.findLast(
    ({ agentId, parts }) => agentId === place.agentId && parts.some((part) => part.type === 'toolCall' && part.callId === callId),
  );
  if (!message) return null;
  const [results] = (await resultsOf(deps, place, [message])).values();
  const result = results?.find((one) => one.callId === callId);
  const call = message.parts.find((part) => part.type === 'toolCall' && part.callId === callId);
  if (!result || call?.type !== 'toolCall') return null;
  return { name: `the result of ${call.name}`, text: await wholeText(deps, result) };
}

/** The stored output where `content` has only its ends. */
async function wholeText({ blobs }: Deps, { stored, content, summary }: StepResult): Promise<string> {
  return (stored && (await readBlob(blobs, stored.hash))) ?? content ?? summary;
}

async function readBlob(blobs: Deps['blobs'], hash: BlobHash): Promise<string | undefined> {
  return blobs.read(hash).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
}

function messageWith({ db }: Deps, { headId }: Place, id: string): { name: string; text: string } | null {
  const message = readPath(db, headId).find((one) => one.id === id);
  return message ? { name: nameOf(message), text: textOf(message) } : null;
}

function nameOf({ role }: Message): string {
  return role === 'user' ? 'the user' : role === 'digest' ? 'a digest' : 'an answer';
}

async function resultsOf(
  { db, transcripts }: Deps,
  { conversationId, agentId }: Place,
  messages: readonly Message[],
): Promise<Map<MessageId, StepResult[]>> {
  const own = messages.flatMap((message) => (message.agentId === agentId ? [message.id] : []));
  const steps = await transcripts.steps({ conversationId, agentId }, transcriptStepsOf(db, { messageIds: own, agentId }));
  return new Map(steps.map((step) => [step.messageId, step.results]));
}

/** Newest first; what `recall` itself gave back is not found again. */
async function search(deps: Deps, place: Place, query: string, signal: AbortSignal): Promise<PastPlace[]> {
  const words = foldForSearch(query).split(/\s+/).filter(Boolean);
  const path = readPath(deps.db, place.headId);
  const found: PastPlace[] = [];
  for (let end = path.length; end > 0 && found.length < mostFound && !signal.aborted; end -= slice) {
    const messages = path.slice(Math.max(0, end - slice), end).reverse();
    const results = await resultsOf(deps, place, messages);
    for (const message of messages) found.push(...placesIn(message, results.get(message.id) ?? [], words));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found.slice(0, mostFound);
}

function placesIn(message: Message, results: readonly StepResult[], words: readonly string[]): PastPlace[] {
  const places: PastPlace[] = [];
  const said = textOf(message);
  const inText = excerptOf(said, words);
  if (inText) places.push({ kind: 'message', id: message.id, name: nameOf(message), excerpt: inText.excerpt });
  for (const part of message.parts) {
    if (part.type !== 'toolCall' || part.name === 'recall') continue;
    const result = results.find(({ callId }) => callId === part.callId);
    const text = [part.arguments, result?.summary ?? part.summary ?? '', result?.content ?? ''].join('\n');
    const hit = excerptOf(text, words);
    if (hit) places.push({ kind: 'result', id: part.callId, name: part.name, excerpt: hit.excerpt });
  }
  return places;
}

/** Around the first of the words; null unless all are there. */
function excerptOf(text: string, words: readonly string[]): { excerpt: string } | null {
  const folded = foldForSearch(text);
  if (words.length === 0 || !words.every((word) => folded.includes(word))) return null;
  const at = Math.min(...words.map((word) => folded.indexOf(word)));
  const from = Math.max(0, Math.min(at, text.length) - excerptLength / 3);
  return { excerpt: `${from > 0 ? '…' : ''}${text.slice(from, from + excerptLength)}` };
}
