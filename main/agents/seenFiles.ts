// What an agent last saw of a file on its path (A2): the fingerprint that its newest read, write or edit left with its result, so that it holds over a
// restart. Calls of the step that runs come first; what another branch saw does not count.
import { FailureError } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import type { Message, ToolCallPart } from '../../shared/model/message';
import type { StepResult } from '../../shared/model/transcript';
import { touchesOf, type WorkspacePlace } from '../context/touchedFiles';
import type { ReadableDb } from '../store/database';
import type { StoredCall } from '../store/liveCalls';
import { depthOf, readSlice } from '../store/messages';
import { transcriptStepsOf } from '../store/transcriptSteps';
import type { Transcripts } from '../transcript/transcripts';
import { readTouchedFiles } from './touchedFiles';

type Deps = { db: ReadableDb; transcripts: Pick<Transcripts, 'steps'>; place: WorkspacePlace };
type Where = { conversationId: ConversationId; agentId: AgentId; headId: MessageId };
/** `shown`: the real place; `asked`: the path as the call names it, which may lead there over a link. `calls` of the step that runs. */
type File = { shown: string; asked: string; calls: readonly StoredCall[] };
/** `sha256` is null where the result was kept without one. */
export type Seen = { sha256: string | null; at: number };

const tools: ReadonlySet<string> = new Set(['read_file', 'write_file', 'edit_file']);
/** Messages read between two turns of the event loop. */
const slice = 50;

/** Null where the agent has not seen it on this path. */
export async function lastSeen(deps: Deps, where: Where, file: File): Promise<Seen | null> {
  const now = file.calls.findLast(({ result }) => result?.file?.path === file.shown && !result.isError);
  if (now?.result?.file) return { sha256: now.result.file.sha256, at: Number.POSITIVE_INFINITY };
  const { db, place } = deps;
  const { conversationId, headId } = where;
  const names = new Set([file.shown, ...pathsIn([callOf(file.asked)], place)]);
  const depth = depthOf(db, headId) ?? 0;
  const touched = await readTouchedFiles(db, { conversationId, tipId: headId, depth, place });
  const last = Math.max(-1, ...touched.flatMap((one) => (names.has(one.path) ? [one.depth] : [])));
  for (let end = last + 1; end > 0; end = Math.max(0, end - slice)) {
    const offset = Math.max(0, end - slice);
    for (const message of readSlice(db, { tipId: headId, offset, count: end - offset }).items.reverse()) {
      const found = message.agentId === where.agentId ? await seenIn(deps, where, message, { names, shown: file.shown }) : null;
      if (found) return found;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return null;
}

type Wanted = { names: ReadonlySet<string>; shown: string };

async function seenIn(deps: Deps, where: Where, message: Message, { names, shown }: Wanted): Promise<Seen | null> {
  const calls = message.parts.flatMap((part) => (part.type === 'toolCall' && tools.has(part.name) ? [part] : []));
  const wanted = calls.filter((call) => pathsIn([call], deps.place).some((path) => names.has(path)));
  if (wanted.length === 0) return null;
  const results = await resultsOf(deps, where, message.id);
  for (const { callId } of wanted.reverse()) {
    const file = results.find((one) => one.callId === callId)?.file;
    // A link that led elsewhere then says nothing of this file.
    if (file === undefined || file.path === shown) return { sha256: file?.sha256 ?? null, at: message.createdAt };
  }
  return null;
}

/** None where the transcript cannot be used (X7). */
async function resultsOf({ db, transcripts }: Deps, { conversationId, agentId }: Where, messageId: MessageId): Promise<StepResult[]> {
  try {
    const [step] = await transcripts.steps({ conversationId, agentId }, transcriptStepsOf(db, { messageIds: [messageId], agentId }));
    return step?.results ?? [];
  } catch (error) {
    if (error instanceof FailureError) return [];
    throw error;
  }
}

const pathsIn = (parts: ToolCallPart[], place: WorkspacePlace): string[] => touchesOf({ parts }, place).map(({ path }) => path);

function callOf(path: string): ToolCallPart {
  return { type: 'toolCall', callId: '', name: 'read_file', arguments: JSON.stringify({ path }), summary: '' };
}
