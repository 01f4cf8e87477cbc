// For tests of imports: reads files as the program does, and counts what came out of them in the words of the samples' own counts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileProblem, SkipReason } from '../../shared/model/importReport';
import type { ImportedConversation } from './importedTree';
import { createImportReader, type ReadEvent } from './importReader';

const here = dirname(fileURLToPath(import.meta.url));
/** Made by hand, and part of the project. */
export const sampleFolder = join(here, 'import/samples');
/** Files of other programs that are not ours to copy: read where they are, if they are there. */
export const sharedFolder = join(here, '../../../shared/samples/imports');

export type Read = {
  conversations: ImportedConversation[];
  skipped: { title: string | null; reason: SkipReason }[];
  problems: FileProblem[];
  formats: string[];
  files: string[];
  otherFiles: number;
  events: ReadEvent[];
};

export async function readImport(...paths: string[]): Promise<Read> {
  const reader = createImportReader(paths);
  const events: ReadEvent[] = [];
  try {
    for (let batch = await reader.next(); batch !== null; batch = await reader.next()) events.push(...batch);
  } finally {
    await reader.close();
  }
  return {
    conversations: events.flatMap((event) => (event.type === 'conversation' ? [event.conversation] : [])),
    skipped: events.flatMap((event) => (event.type === 'skipped' ? [{ title: event.title, reason: event.reason }] : [])),
    problems: events.flatMap((event) => (event.type === 'problem' ? [event.problem] : [])),
    formats: events.flatMap((event) => (event.type === 'format' ? [event.format] : [])),
    files: events.flatMap((event) => (event.type === 'file' ? [event.name] : [])),
    otherFiles: events.reduce((sum, event) => sum + (event.type === 'otherFiles' ? event.count : 0), 0),
    events,
  };
}

/** A folder that goes away with the test; writes what is given, JSON where it is no text or bytes. */
export function tempFiles(): { folder: string; write(name: string, content: unknown): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'bough-import-'));
  return {
    folder,
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Reads what is written to a file of that name. */
export async function readContent(content: unknown, name = 'file.json'): Promise<Read> {
  const files = tempFiles();
  try {
    return await readImport(files.write(name, content));
  } finally {
    files.remove();
  }
}

export function textOfMessage(message: { parts: ImportedConversation['messages'][number]['parts'] }): string | null {
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** The messages from the root to the tip. */
export function pathOf({ messages, tipId }: ImportedConversation): ImportedConversation['messages'] {
  const byId = new Map(messages.map((message) => [message.sourceId, message]));
  const path: ImportedConversation['messages'] = [];
  for (
    let at = tipId === null ? undefined : byId.get(tipId);
    at !== undefined;
    at = at.recovered || at.parentId === null ? undefined : byId.get(at.parentId)
  )
    path.unshift(at);
  return path;
}

export function countsOf(conversation: ImportedConversation) {
  const { messages } = conversation;
  const children = new Map<string, number>();
  for (const { parentId, recovered } of messages)
    if (parentId !== null && !recovered) children.set(parentId, (children.get(parentId) ?? 0) + 1);
  const path = pathOf(conversation);
  const firstUser = path.find(({ role }) => role === 'user');
  const last = path.at(-1);
  return {
    title: conversation.title,
    messages: messages.length,
    leaves: messages.filter(({ sourceId }) => !children.has(sourceId)).length,
    branchPoints: [...children.values()].filter((number) => number > 1).length,
    path: path.length,
    roots: messages.filter(({ parentId, recovered }) => parentId === null || recovered).length,
    recoveredRoots: messages.filter(({ recovered }) => recovered).length,
    folded: conversation.folded,
    hidden: conversation.hidden,
    withoutText: messages.filter((message) => textOfMessage(message) === null).length,
    pathBy: conversation.pathBy,
    firstUserText: firstUser ? textOfMessage(firstUser) : null,
    lastPathText: last ? textOfMessage(last) : null,
  };
}
