// Two branches from their common ancestor (T13): where they part, what each is made of, and what it is called.
import type { ComparedBranch, Comparison } from '../../shared/model/comparison';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import type { Role } from '../../shared/model/message';
import { ancestorAtDepth, commonAncestor, DamagedTree, type Link } from '../../shared/tree/links';
import { requireConversation } from './conversations';
import { type ReadableDb, select, snapshot } from './database';
import { labelsIn } from './marks';
import { readTurn } from './outlineText';
import { withTree } from './repair';
import { currentTip, siblingTarget } from './tips';
import type { StoredTree } from './tree';
import { wayTo } from './wayTo';

/** Prompts looked at for two that differ. */
const mostPrompts = 20;
/** Bounded by the number of messages between an end and the shared message, whatever the rows say of their parents (T7). */
const selectRolesUp = `WITH RECURSIVE up(id, parent_id, role, more) AS (
    SELECT m.id, m.parent_id, m.role, ? FROM messages m WHERE m.id = +?
    UNION ALL SELECT m.id, m.parent_id, m.role, up.more - 1 FROM up CROSS JOIN messages m ON m.id = up.parent_id WHERE up.more > 1)
  SELECT id, parent_id AS parentId, role FROM up`;

type CompareArgs = { conversationId: ConversationId; left: MessageId; right: MessageId };

/** Throws `notFound` for what is no message of this conversation. */
export function compareBranches(db: ReadableDb, { conversationId, left, right }: CompareArgs): Comparison {
  return snapshot(db, () => {
    requireConversation(db, conversationId);
    return withTree(db, conversationId, (tree): Comparison => {
      const [one, other] = [placeOf(tree, left), placeOf(tree, right)];
      const shared = commonAncestor(tree.link, one, other) ?? null;
      const tails = [tailOf(db, tree, one, shared), tailOf(db, tree, other, shared)] as const;
      const [nameLeft, nameRight] = namesOf(db, tree, tails[0], tails[1]);
      const side = (tail: Tail, prompt: string) => branchOf(db, tree, conversationId, tail, prompt);
      return { shared: shared && sharedOf(db, shared), left: side(tails[0], nameLeft), right: side(tails[1], nameRight) };
    });
  });
}

function placeOf(tree: StoredTree, id: MessageId): Link {
  const link = tree.link(id);
  if (!link) throw new FailureError(makeFailure('notFound', 'This message does not exist in this conversation.'));
  return link;
}

function sharedOf(db: ReadableDb, { id, depth }: Link): NonNullable<Comparison['shared']> {
  const { role, text, agentId } = readTurn(db, id as MessageId);
  return { id: id as MessageId, depth, role, text, ...(agentId === null ? {} : { agentId: agentId as AgentId }) };
}

/** What a branch has below the depth `top`; -1 where nothing is shared. */
type Tail = { end: Link; top: number; roles: Role[] };
type RoleRow = { id: string; parentId: string | null; role: Role };

function tailOf(db: ReadableDb, tree: StoredTree, end: Link, shared: Link | null): Tail {
  const top = shared?.depth ?? -1;
  const count = end.depth - top;
  if (count === 0) return { end, top, roles: [] };
  const rows = select<RoleRow>(db, selectRolesUp).all(count, end.id);
  const first = rows.at(-1);
  const holds = rows.length === count && first && (shared ? first.parentId === shared.id : tree.link(first.id)?.underId === null);
  if (!holds) throw new DamagedTree(end.id, 'has another path than its depth says');
  return { end, top, roles: rows.map(({ role }) => role).reverse() };
}

function wordsAt(db: ReadableDb, tree: StoredTree, { end, top }: Tail, at: number): string {
  const link = ancestorAtDepth(tree.link, end, top + 1 + at);
  return link ? readTurn(db, link.id as MessageId).text : '';
}

/** What each is called by: the first prompts at the same place that differ, else its first message. */
function namesOf(db: ReadableDb, tree: StoredTree, left: Tail, right: Tail): [string, string] {
  const prompts = [promptsOf(left), promptsOf(right)] as const;
  for (const [at, place] of prompts[0].entries()) {
    const other = prompts[1][at];
    if (other === undefined) break;
    const words: [string, string] = [wordsAt(db, tree, left, place), wordsAt(db, tree, right, other)];
    if (words[0] !== words[1]) return words;
  }
  return [wordsAt(db, tree, left, 0), wordsAt(db, tree, right, 0)];
}

function promptsOf({ roles }: Tail): number[] {
  const places: number[] = [];
  for (const [at, role] of roles.entries()) {
    if (role === 'user') places.push(at);
    if (places.length === mostPrompts) break;
  }
  return places;
}

function branchOf(db: ReadableDb, tree: StoredTree, conversationId: ConversationId, tail: Tail, prompt: string): ComparedBranch {
  const { end, top, roles } = tail;
  const endId = end.id as MessageId;
  const branch: ComparedBranch = { endId, roles, prompt, endedAt: readTurn(db, endId).createdAt };
  const own = labelsIn(db, tree, { conversationId, tipId: endId }).filter(({ messageId }) => (tree.link(messageId)?.depth ?? -1) > top);
  const label = own.at(-1)?.label;
  if (label !== undefined) branch.label = label;
  const answer = roles.lastIndexOf('assistant');
  const link = answer < 0 ? undefined : ancestorAtDepth(tree.link, end, top + 1 + answer);
  const agentId = link && readTurn(db, link.id as MessageId).agentId;
  if (agentId) branch.agentId = agentId as AgentId;
  return branch;
}

/** Where the branch of a message ends as it was left, or that of the version beside it (T6). Throws `notFound`. */
export function endOfBranch(
  db: ReadableDb,
  args: { conversationId: ConversationId; messageId: MessageId; version?: 'previous' | 'next' | undefined },
): MessageId {
  const { conversationId, messageId, version } = args;
  return snapshot(db, () => {
    requireConversation(db, conversationId);
    withTree(db, conversationId, (tree) => placeOf(tree, messageId));
    if (version) return siblingTarget(db, { conversationId, parentId: null, from: messageId, direction: version }).to;
    return wayTo(db, { conversationId, messageId }).to ?? currentTip(db, conversationId) ?? messageId;
  });
}
