// The order in which a tree is told to a reader: along one line to its end, then the other branches, each with where it left. No recursion: chains may be 100,000 deep.
import type { MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';

/** One line of the tree from where it begins to its end. `from` is the message it left under, with its place among the children there. */
export type Line = {
  messages: Message[];
  from: { message: Message; branch: number; branches: number } | null;
};

/** Roots first in order of creation; of each message the child that leads to `tipId`, else the first, goes on its line. */
export function linesOfTree(messages: readonly Message[], tipId: MessageId | null): Line[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const children = new Map<MessageId | null, Message[]>();
  for (const message of messages) {
    const under = message.parentId !== null && byId.has(message.parentId) ? message.parentId : null;
    const siblings = children.get(under);
    if (siblings) siblings.push(message);
    else children.set(under, [message]);
  }
  const chosen = pathTo(byId, tipId);
  const lines: Line[] = [];
  const waiting = (children.get(null) ?? []).map((root): [Message, Line['from']] => [root, null]).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const line: Line = { messages: [], from: next[1] };
    lines.push(line);
    const later: [Message, Line['from']][] = [];
    for (let at: Message | undefined = next[0]; at; ) {
      const message: Message = at;
      line.messages.push(message);
      const below = children.get(message.id) ?? [];
      at = below.find(({ id }) => chosen.has(id)) ?? below[0];
      for (const [index, child] of below.entries())
        if (child !== at) later.push([child, { message, branch: index + 1, branches: below.length }]);
    }
    // The branch that left last is told first: it is nearest to what was just read.
    waiting.push(...later);
  }
  return lines;
}

function pathTo(byId: ReadonlyMap<MessageId, Message>, tipId: MessageId | null): Set<MessageId> {
  const path = new Set<MessageId>();
  for (
    let at = tipId === null ? undefined : byId.get(tipId);
    at && !path.has(at.id);
    at = at.parentId === null ? undefined : byId.get(at.parentId)
  )
    path.add(at.id);
  return path;
}
