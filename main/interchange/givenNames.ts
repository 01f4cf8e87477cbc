// Newer exports of ChatGPT rename all attachments; a file beside them says what they were called.
import { parseJson } from '../lib/parseJson';
import type { SourceFile } from './sourceFile';
import { bytesOf } from './sources';
import { textAt } from './values';

const listName = 'conversation_asset_file_names.json';
const mostBytes = 64 * 1024 * 1024;

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A list that cannot be read says nothing; what else is wrong with it shows when it is read as a file. */
export async function givenNames(files: readonly SourceFile[]): Promise<(file: string) => string | undefined> {
  const lists: unknown[] = [];
  for (const file of files) {
    if (baseName(file.path) !== listName) continue;
    const bytes = await bytesOf(file, mostBytes).catch(() => null);
    if (bytes !== null) lists.push(parseJson(bytes.toString('utf8')));
  }
  return (file) => {
    const name = baseName(file);
    for (const list of lists) {
      const given = textAt(list, name) ?? textAt(list, name.replace(/\.[^.]*$/, ''));
      if (given !== undefined && given !== '') return baseName(given);
    }
    return undefined;
  };
}
