// A conversation as a format read it → the tree that is written; without a message to show there is none.
import { createHash } from 'node:crypto';
import type { ImportFormatId } from '../../shared/model/importReport';
import { growTree } from './growTree';
import { count, type ImportedConversation, type SourceConversation } from './importedTree';

/** `fileName` stands in for an id and a title where the source has none. Null when nothing of it can be shown. */
export function toConversation(source: SourceConversation, format: ImportFormatId, fileName: string): ImportedConversation | null {
  const { tree, id, labels = [], leftOut, ...about } = source;
  const grown = growTree(tree, format);
  if (grown.messages.length === 0) return null;
  for (const [what, number] of leftOut ?? []) count(grown.leftOut, what, number);
  const known = new Set(grown.messages.map(({ sourceId }) => sourceId));
  return {
    ...about,
    ...grown,
    leftOut: [...grown.leftOut],
    format,
    sourceId: id ?? idFromContent(tree.nodes, fileName),
    labels: labels.flatMap(({ nodeId, label }) => (known.has(nodeId) ? [{ messageId: nodeId, label }] : [])),
    cut: false,
  };
}

/** What begins the same in a file of the same name is the same conversation, also after it went on. */
function idFromContent(nodes: SourceConversation['tree']['nodes'], fileName: string): string {
  const hash = createHash('sha256').update(fileName);
  for (const { role, time, parts } of nodes.slice(0, 3)) hash.update(JSON.stringify([role, time, parts]));
  return hash.digest('hex').slice(0, 32);
}
