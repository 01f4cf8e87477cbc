// Which files the tools of agents read or changed along a path, found from the calls in its messages. Pure.
import { posix, win32 } from 'node:path';
import type { MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { TouchedFile } from '../../shared/model/touchedFile';
import { readCallArguments } from '../lib/callArguments';

/** `folders`: the names of the workspace folder, as it was opened and its real path. */
export type WorkspacePlace = { folders: readonly string[]; platform: NodeJS.Platform };
export type Touch = { path: string; kind: 'read' | 'changed' };
/** By path, the one touched last at the end. */
export type Touched = ReadonlyMap<string, TouchedFile>;

const kinds = new Map<string, Touch['kind']>([
  ['read_file', 'read'],
  ['view_image', 'read'],
  ['write_file', 'changed'],
  ['edit_file', 'changed'],
]);

/** What the calls of one message touched; a call that failed, was denied or has no result touched nothing. */
export function touchesOf(message: Pick<Message, 'parts'>, place: WorkspacePlace): Touch[] {
  return message.parts.flatMap((part) => {
    if (part.type !== 'toolCall' || part.summary === undefined || part.isError) return [];
    const kind = kinds.get(part.name);
    const path = kind && pathOf(part.arguments, place);
    return path === undefined ? [] : [{ path, kind: kind ?? 'read' }];
  });
}

/** What one message touched, and where it stands. */
export type Found = { touches: readonly Touch[]; messageId: MessageId; depth: number };

/** `before` with what later messages touched, in their order. */
export function touchedAfter(before: Touched, found: readonly Found[]): Touched {
  const files = new Map(before);
  for (const { touches, messageId, depth } of found)
    for (const { path, kind } of touches) {
      const known = files.get(path) ?? { read: 0, changed: 0 };
      files.delete(path);
      files.set(path, {
        path,
        read: known.read + (kind === 'read' ? 1 : 0),
        changed: known.changed + (kind === 'changed' ? 1 : 0),
        messageId,
        depth,
      });
    }
  return files;
}

/** What a stretch of messages touched, the one touched last first. `depth` counts from its start. */
export function touchedIn(messages: readonly Message[], place: WorkspacePlace): TouchedFile[] {
  const found = messages.map((message, depth): Found => ({ touches: touchesOf(message, place), messageId: message.id, depth }));
  return [...touchedAfter(new Map(), found).values()].reverse();
}

/** The path a call names, as the workspace names it. Links are not followed: the disk may have changed since. */
function pathOf(argumentsText: string, { folders, platform }: WorkspacePlace): string | undefined {
  const read = readCallArguments(argumentsText);
  const asked = 'value' in read ? read.value['path'] : undefined;
  const [folder] = folders;
  if (typeof asked !== 'string' || asked.trim() === '' || folder === undefined) return undefined;
  const { isAbsolute, relative, resolve, sep } = platform === 'win32' ? win32 : posix;
  const path = resolve(folder, asked);
  for (const root of folders) {
    const inner = relative(root, path);
    if (inner === '') return undefined;
    if (inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner)) return inner.split(sep).join('/');
  }
  return path.split(sep).join('/');
}
