// What a transcript's files say a request must be, entry by entry, for tests of passes that were cut short.
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { nothingStands, standAfter, type TranscriptEntry } from '../../shared/model/transcript';
import { listConversations } from '../store/conversations';
import type { OpenedWorkspace } from '../workspace/openWorkspace';
import { makeWorkspace, type TestWorkspace } from '../workspace/workspaceFixture';
import { type Standpoint, standpointFor, standpointOf } from './answering';
import { reader, small } from './passCrashFixture';
import { allTools, describeTools } from './tools/registry';

export function copyOf(source: TestWorkspace): TestWorkspace {
  const test = makeWorkspace();
  cpSync(source.folder, test.folder, { recursive: true });
  return test;
}

/** The one there is. */
export function conversationIn({ store }: OpenedWorkspace): { id: ConversationId; tipId: MessageId } {
  const [conversation] = listConversations(store.db, { archived: false });
  if (!conversation?.tipId) throw new Error('no conversation');
  return { id: conversation.id, tipId: conversation.tipId };
}

export function standAt({ store, blobs, transcripts }: OpenedWorkspace, parentId: MessageId, model = small): Promise<Standpoint> {
  const tools = describeTools(allTools, reader.tools);
  return standpointFor({ db: store.db, blobs, transcripts }, { parentId, agent: reader, model, tools });
}

/** Nothing in it says when or where it was made. */
export const contextOf = ({ context }: Standpoint): string => JSON.stringify(context.request.messages);

/** All entries in their order, each once: a file begins with what stood at the end of the one before. */
export function entriesIn({ layout }: Pick<TestWorkspace, 'layout'>): TranscriptEntry[] {
  const [folder = ''] = readdirSync(layout.transcripts);
  const names = readdirSync(join(layout.transcripts, folder)).filter((name) => /^worker(\.\d+)?\.json$/.test(name));
  const ordered = names.sort((a, b) => Number(a === 'worker.json') - Number(b === 'worker.json') || a.localeCompare(b));
  const seen = new Set<string>();
  return ordered.flatMap((name) => {
    const { entries } = JSON.parse(readFileSync(join(layout.transcripts, folder, name), 'utf8')) as { entries: TranscriptEntry[] };
    return entries.filter((entry) => {
      const isAgain = entry.type === 'record' && seen.has(entry.record.id);
      if (entry.type === 'record') seen.add(entry.record.id);
      return !isAgain;
    });
  });
}

/** What the next request is after each entry, for the path of `stand`. `length`: of the path before the first of them. */
export function replay(
  stand: Standpoint,
  entries: readonly TranscriptEntry[],
  length: number,
): { entry: TranscriptEntry; context: string }[] {
  const path = stand.built.map(({ id }) => id);
  let standing = nothingStands;
  let held = length;
  return entries.map((entry) => {
    standing = standAfter(standing, entry);
    if (entry.type === 'step') held = path.indexOf(entry.step.messageId) + 1;
    return { entry, context: contextWith(stand, held, [...standing.records.values()]) };
  });
}

export function contextWith(stand: Standpoint, length: number, records: Standpoint['records']): string {
  return contextOf(standpointOf({ ...stand, built: stand.built.slice(0, length), records }));
}
