// Files whose contents an agent was given with its memory (M6): whether they are still what the disk has. What is sent stays as it was read (L9);
// this is for the person who looks, and for a tool that would write over what the agent has not seen.
import { FailureError } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import { type MemoryBody, type MemoryRecord, memoryOnPath } from '../../shared/model/memoryRecord';
import { touchesOf } from '../context/touchedFiles';
import { wordingVersion } from '../context/wording';
import { folderNames } from '../lib/folderNames';
import type { ReadableDb } from '../store/database';
import { readPath } from '../store/messages';
import type { Transcripts } from '../transcript/transcripts';
import { type Reading, readForMemory } from './ladder/worker/readForMemory';
import { ToolError } from './tools/common/definition';

type MemoryFile = MemoryBody['files'][number];
/** `gone`: no text can be read there any more. */
export type FileState = 'same' | 'changed' | 'gone';

export async function stateOf({ path, text, from, to }: MemoryFile, reading: Reading): Promise<FileState> {
  const part = from === undefined ? { path } : { path, offset: from, limit: (to ?? from) - from + 1 };
  try {
    const read = await readForMemory(part, reading);
    if (read.type === 'refused') return 'gone';
    return read.file.text === text ? 'same' : 'changed';
  } catch (error) {
    if (error instanceof ToolError) return 'changed';
    throw error;
  }
}

type Deps = { db: ReadableDb; transcripts: Pick<Transcripts, 'open'>; reading: Reading };
type Place = { conversationId: ConversationId; agentId: AgentId; headId: MessageId };

/** For a path as tools show it: the agent knows that file from its memory alone, and it is another by now. */
export function outdatedIn(deps: Deps, { headId, ...place }: Place): (path: string) => Promise<boolean> {
  return async (path) => {
    const records = recordsOf(deps, place);
    const isOf = (file: MemoryFile) => file.path === path;
    if (!records.some(({ body }) => body?.files.some(isOf))) return false;
    const messages = readPath(deps.db, headId);
    const { memory } = memoryOnPath(new Set(messages.map(({ id }) => id)), records, wordingVersion);
    if (!memory) return false;
    const since = messages.filter(({ agentId, createdAt }) => agentId === place.agentId && createdAt > memory.receipt.createdAt);
    const where = { folders: folderNames(deps.reading.workspace), platform: deps.reading.platform };
    if (since.some((message) => touchesOf(message, where).some((touch) => touch.path === path))) return false;
    const states = await Promise.all((memory.body?.files ?? []).filter(isOf).map((file) => stateOf(file, deps.reading)));
    return states.includes('changed');
  };
}

/** None where the transcript cannot be used: then nothing of a memory is sent either (X7). */
function recordsOf({ transcripts }: Deps, place: Omit<Place, 'headId'>): MemoryRecord[] {
  try {
    return [...transcripts.open(place).standing.records.values()];
  } catch (error) {
    if (error instanceof FailureError) return [];
    throw error;
  }
}
