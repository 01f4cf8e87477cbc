// The attachments along the loaded path, newest first, each with the place of its message.
import type { FilePart, ImagePart } from '../../../shared/model/message';
import type { LoadedPath } from '../../state/talkPath';

export type ListedFile = { key: string; depth: number; part: ImagePart | FilePart };

export function filesOf(path: LoadedPath): ListedFile[] {
  const found: ListedFile[] = [];
  for (const [depth, message] of path.items) {
    for (const [index, part] of message.parts.entries()) {
      if (part.type === 'image' || part.type === 'file') found.push({ key: `${message.id} ${index}`, depth, part });
    }
  }
  return found.sort((a, b) => b.depth - a.depth);
}
