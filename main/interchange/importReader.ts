// Reads everything that was chosen, in batches: the one side of an import, which may run in a thread of its own (main/workers/importer.ts).
import type { FileProblem, ImportFormatId, SkipReason } from '../../shared/model/importReport';
import { fileFinder } from './findFile';
import type { ImportContext } from './format';
import { givenNames } from './givenNames';
import type { ImportedConversation } from './importedTree';
import type { OwnLine } from './ownLine';
import { readFile } from './readFile';
import type { SourceFile } from './sourceFile';
import { SourceProblem } from './sourceProblem';
import { bytesOf, firstBytes, openSource, problemOf, type Source } from './sources';

/** Plain data. `source` is the place of what the user chose in the list of paths. */
export type ReadEvent =
  | { type: 'file'; source: number; name: string }
  | { type: 'format'; format: ImportFormatId }
  | { type: 'conversation'; conversation: ImportedConversation }
  | { type: 'own'; line: OwnLine }
  | { type: 'skipped'; title: string | null; reason: SkipReason }
  | { type: 'problem'; problem: FileProblem; detail?: string | undefined }
  | { type: 'progress'; file: string; bytesRead: number; bytesInAll: number }
  /** Files of a folder or archive that hold no conversations. */
  | { type: 'otherFiles'; count: number };

export type ImportReader = {
  /** What comes next, a megabyte or so; null when everything was read. */
  next(): Promise<ReadEvent[] | null>;
  /** The bytes of an attachment; null when they are not there, cannot be read, or are too many. */
  attachment(source: number, file: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
};

const batchBytes = 1024 * 1024;
const batchEvents = 1000;
const mostAttachmentBytes = 100 * 1024 * 1024;
const media = /\.(?:png|jpe?g|gif|webp|bmp|heic|avif|svg|ico|mp[34]|m4a|wav|ogg|opus|webm|mov|pdf|html?|css|js|zip|gz|docx?|xlsx?|pptx?)$/i;
/** What exports call the files with their conversations: a damaged one is told, not taken for something else. */
const named = /(?:^|\/)conversations(?:-\d+)?\.jsonl?$/i;

export function createImportReader(paths: readonly string[]): ImportReader {
  const opened = new Map<number, Source>();
  const counter: Counter = { file: '', bytesRead: 0, bytesInAll: 0 };
  const events = readAll(paths, opened, counter);
  return {
    async next() {
      const batch: ReadEvent[] = [];
      const start = counter.bytesRead;
      while (batch.length < batchEvents && counter.bytesRead - start < batchBytes) {
        const { value, done } = await events.next();
        if (done === true) break;
        batch.push(value);
      }
      if (batch.length === 0) return null;
      return [...batch, { type: 'progress', ...counter }];
    },
    async attachment(source, path) {
      const file = opened.get(source)?.files.find((one) => one.path === path);
      if (file === undefined) return null;
      try {
        return await bytesOf(file, mostAttachmentBytes);
      } catch (error) {
        if (problemOf(error) instanceof SourceProblem) return null;
        throw error;
      }
    },
    async close() {
      await events.return(undefined);
      for (const source of opened.values()) await source.close();
      opened.clear();
    },
  };
}

type Counter = { file: string; bytesRead: number; bytesInAll: number };

async function* readAll(paths: readonly string[], opened: Map<number, Source>, counter: Counter): AsyncGenerator<ReadEvent> {
  const chosen: (Place & { files: SourceFile[] })[] = [];
  for (const [source, path] of paths.entries()) {
    try {
      const from = await openSource(path);
      opened.set(source, from);
      const files = from.holdsMany ? await candidates(from) : from.files;
      const givenName = from.holdsMany ? await givenNames(from.files) : undefined;
      chosen.push({ source, from, counter, givenName, files });
      counter.bytesInAll += files.reduce((sum, { size }) => sum + size, 0);
    } catch (error) {
      yield* failed(error, { source, name: path.split(/[/\\]/).at(-1) ?? path });
    }
  }
  for (const one of chosen) yield* readChosen(one);
}

async function* readChosen({ files, ...place }: Place & { files: SourceFile[] }): AsyncGenerator<ReadEvent> {
  const { source, from } = place;
  let read = 0;
  for (const file of files) read += yield* readOne(file, place);
  for (const { name, problem } of from.problems) yield* failed(problem, { source, name: `${from.name}/${name}` });
  read += from.problems.length;
  if (!from.holdsMany) return;
  yield { type: 'otherFiles', count: from.files.length - read };
  if (read > 0) return;
  yield { type: 'file', source, name: from.name };
  yield { type: 'problem', problem: from.files.length === 0 ? 'empty' : 'notRecognized' };
}

/** `file` null: it is the one that was named last. */
function* failed(error: unknown, file: { source: number; name: string } | null): Generator<ReadEvent> {
  const found = problemOf(error);
  if (!(found instanceof SourceProblem)) throw error;
  if (file !== null) yield { type: 'file', ...file };
  yield { type: 'problem', problem: found.problem, detail: found.message };
}

/** Of a folder or an archive what begins like JSON; pictures and pages are not looked into. */
async function candidates({ files }: Source): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of files) {
    if (media.test(file.path)) continue;
    const isNamedSo = named.test(file.path);
    if (file.size < 2 && !isNamedSo) continue;
    const head = (await firstBytes(file, 64)).toString('latin1').replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '');
    if (isNamedSo || /^[\s\0]*[[{]/.test(head)) found.push(file);
  }
  return found;
}

type Place = { source: number; from: Source; counter: Counter; givenName: ImportContext['givenName'] };

/** Gives 0 when it is one of the files beside others that hold no conversations: that is no problem of it. */
async function* readOne(file: SourceFile, { source, from, counter, givenName }: Place): AsyncGenerator<ReadEvent, number> {
  const name = from.holdsMany ? `${from.name}/${file.path}` : from.name;
  const context = {
    fileName: file.path.slice(file.path.lastIndexOf('/') + 1),
    findFile: from.holdsMany ? fileFinder(from.files.filter((one) => one !== file)) : () => undefined,
    givenName,
  };
  const isQuiet = ({ problem }: { problem: FileProblem }) => problem === 'notRecognized' || (problem !== 'cut' && !named.test(file.path));
  const before = counter.bytesRead;
  counter.file = name;
  let isNamed = false;
  try {
    for await (const event of readFile(counted(file, counter), context)) {
      if (!isNamed && event.type === 'problem' && from.holdsMany && isQuiet(event)) return 0;
      if (!isNamed) yield { type: 'file', source, name };
      isNamed = true;
      yield event;
    }
  } catch (error) {
    yield* failed(error, isNamed ? null : { source, name });
    isNamed = true;
  }
  counter.bytesRead = Math.max(counter.bytesRead, before + file.size);
  return isNamed ? 1 : 0;
}

async function* counted(file: SourceFile, counter: Counter): AsyncGenerator<Buffer> {
  for await (const chunk of file.stream()) {
    counter.bytesRead += chunk.length;
    yield chunk;
  }
}
