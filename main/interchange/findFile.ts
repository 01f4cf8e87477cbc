// Finds the file of an attachment inside a folder or archive: by its name, or by the id its name begins with.
import type { SourceFile } from './sourceFile';

const ids = [/^file[-_][0-9A-Za-z]+/, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i];

export function fileFinder(files: readonly SourceFile[]): (idOrName: string) => string | undefined {
  const known = new Map<string, string>();
  for (const { path } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const id = ids.map((pattern) => pattern.exec(name)?.[0]).find((found) => found !== undefined);
    for (const key of id === undefined ? [name] : [name, id]) if (!known.has(key)) known.set(key, path);
  }
  return (idOrName) => known.get(idOrName);
}
