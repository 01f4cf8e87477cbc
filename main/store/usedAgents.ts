// A copy of each agent a conversation used, so that a copied folder carries everything but keys and providers (W2).
import { type Agent, agentSchema } from '../../shared/model/agent';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { readJson } from './json';

export function rememberAgent(db: WritableDb, args: { conversationId: ConversationId; agent: Agent }): void {
  const copy = JSON.stringify(args.agent);
  transaction(db, () =>
    change(
      db,
      `INSERT INTO conversation_agents (conversation_id, agent_id, agent) VALUES (?, ?, ?)
       ON CONFLICT (conversation_id, agent_id) DO UPDATE SET agent = excluded.agent WHERE agent <> excluded.agent`,
    ).run(args.conversationId, args.agent.id, copy),
  );
}

/** As they were used here. Approvals are reset to `ask`: the folder may come from a stranger (W2). Unreadable copies are left out. */
export function usedAgents(db: ReadableDb, conversationId: ConversationId): Agent[] {
  return select<{ agent: string }>(db, 'SELECT agent FROM conversation_agents WHERE conversation_id = +? ORDER BY rowid')
    .all(conversationId)
    .flatMap((row) => readJson(row.agent, agentSchema) ?? [])
    .map((agent) => ({ ...agent, approval: 'ask' }));
}

/** The newest copy of an agent that any conversation here used, one that came in a file only where there is no other; undefined when none did. */
export function usedAgent(db: ReadableDb, agentId: AgentId): Agent | undefined {
  const rows = select<{ agent: string }>(
    db,
    `SELECT a.agent FROM conversation_agents a WHERE a.agent_id = +?
     ORDER BY EXISTS (SELECT 1 FROM import_sources s WHERE s.conversation_id = a.conversation_id), a.rowid DESC LIMIT 1`,
  ).all(agentId);
  const agent = rows[0] && readJson(rows[0].agent, agentSchema);
  return agent && { ...agent, approval: 'ask' };
}
