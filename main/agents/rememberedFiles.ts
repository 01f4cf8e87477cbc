// Files that an agent read, wrote (A2) or was given with its memory (M6): whether they are still what the disk has. What is sent stays as it was read
// (L9); this is for the person who looks, and for a tool that would write over what the agent has not seen.
import { FailureError } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import { type MemoryBody, type MemoryRecord, memoryOnPath } from '../../shared/model/memoryRecord';
import { wordingVersion } from '../context/wording';
import { folderNames } from '../lib/folderNames';
import type { ReadableDb } from '../store/database';
import type { StoredCall } from '../store/liveCalls';
import { readPath } from '../store/messages';
import type { Transcripts } from '../transcript/transcripts';
import { type Reading, readForMemory } from './ladder/worker/readForMemory';
import { lastSeen } from './seenFiles';
import { type ToolContext, ToolError } from './tools/common/definition';
import { fingerprintOf } from './tools/common/fingerprint';
import { readPlace } from './tools/common/openFile';
import { fileAt } from './tools/common/writePlace';

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

type Deps = { db: ReadableDb; transcripts: Pick<Transcripts, 'open' | 'steps'>; reading: Reading };
type Where = { conversationId: ConversationId; agentId: AgentId; headId: MessageId };

/** Of a file that is there: what the agent has of it is another by now. `calls` of the step that runs. A file it never saw is not outdated. */
export function outdatedIn(deps: Deps, where: Where, calls: () => readonly StoredCall[]): NonNullable<ToolContext['outdated']> {
  const place = { folders: folderNames(deps.reading.workspace), platform: deps.reading.platform };
  return async (file, asked) => {
    const memory = memoryOf(deps, where, file.shown);
    const seen = await lastSeen({ ...deps, place }, where, { shown: file.shown, asked, calls: calls() });
    if (memory && (seen === null || seen.at <= memory.since)) {
      const states = await Promise.all(memory.files.map((one) => stateOf(one, deps.reading)));
      return states.includes('changed') ? 'remembered' : null;
    }
    if (seen === null || seen.sha256 === null) return null;
    const there = await fileAt(file);
    if (there === null) return null;
    const { bytes } = await readPlace(file, Math.max(deps.reading.limits.fileBytes, there.size));
    return fingerprintOf(bytes) === seen.sha256 ? null : 'seen';
  };
}

/** What the memory that holds has of a file, and since when; null where it has nothing. */
function memoryOf(deps: Deps, { headId, ...place }: Where, path: string): { files: MemoryFile[]; since: number } | null {
  const records = recordsOf(deps, place);
  const isOf = (file: MemoryFile) => file.path === path;
  if (!records.some(({ body }) => body?.files.some(isOf))) return null;
  const onPath = new Set(readPath(deps.db, headId).map(({ id }) => id));
  const { memory } = memoryOnPath(onPath, records, wordingVersion);
  const files = memory?.body?.files.filter(isOf) ?? [];
  return memory && files.length > 0 ? { files, since: memory.receipt.createdAt } : null;
}

/** None where the transcript cannot be used: then nothing of a memory is sent either (X7). */
function recordsOf({ transcripts }: Deps, place: Omit<Where, 'headId'>): MemoryRecord[] {
  try {
    return [...transcripts.open(place).standing.records.values()];
  } catch (error) {
    if (error instanceof FailureError) return [];
    throw error;
  }
}
