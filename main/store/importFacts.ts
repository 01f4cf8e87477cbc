// What Bough's own exports say of a conversation beside its messages (I2): written with them, under ids that are theirs here.
import type { Agent } from '../../shared/model/agent';
import type { Checkpoint } from '../../shared/model/checkpoint';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { FailedTurn } from '../../shared/model/live';
import { change, select, type WritableDb } from './database';
import { putFailedTurn } from './failedTurns';
import type { BranchTip } from './tips';
import { addTranscriptStep, type TranscriptStep } from './transcriptSteps';
import { rememberAgent } from './usedAgents';

export type ImportedFacts = {
  pins: readonly MessageId[];
  checkpoints: readonly Checkpoint[];
  branchTips: readonly BranchTip[];
  agents: readonly Agent[];
  failed: readonly FailedTurn[];
  steps: readonly TranscriptStep[];
};

/** After its messages. The caller may pause at each yield, between transactions. */
export function* addFacts(db: WritableDb, id: ConversationId, facts: ImportedFacts, now: number): Generator<void, void, void> {
  // Approvals are reset to `ask` by whoever reads such a copy, too (W2).
  for (const agent of facts.agents) rememberAgent(db, { conversationId: id, agent: { ...agent, approval: 'ask' } });
  for (const step of facts.steps) {
    addTranscriptStep(db, step);
    yield;
  }
  const pin = 'INSERT INTO pins (message_id, conversation_id, created_at) VALUES (?, ?, ?) ON CONFLICT (message_id) DO NOTHING';
  for (const messageId of facts.pins) {
    change(db, pin).run(messageId, id, now);
    yield;
  }
  for (const checkpoint of facts.checkpoints) {
    addCheckpointRow(db, checkpoint);
    yield;
  }
  const tip = 'INSERT OR REPLACE INTO branch_tips (conversation_id, child_id, tip_id, turn_id) VALUES (?, ?, ?, ?)';
  for (const { childId, tipId, turnId } of facts.branchTips) {
    change(db, tip).run(id, childId, tipId, turnId ?? null);
    yield;
  }
  for (const turn of facts.failed) {
    putFailedTurn(db, turn);
    yield;
  }
}

function addCheckpointRow(db: WritableDb, { conversationId, messageId, label, by, createdAt }: Checkpoint): void {
  const sql = `INSERT INTO checkpoints (conversation_id, message_id, label, made_by, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (message_id, label) DO NOTHING`;
  change(db, sql).run(conversationId, messageId, label, by, createdAt);
}

/** What of it concerns messages that were added to a conversation: what is said of those that were there stays as it is. */
export function factsOf(db: WritableDb, id: ConversationId, facts: ImportedFacts, added: ReadonlySet<MessageId>): ImportedFacts {
  const known = new Set(
    select<{ agent_id: string }>(db, 'SELECT agent_id FROM conversation_agents WHERE conversation_id = ?')
      .all(id)
      .map((row) => row.agent_id),
  );
  return {
    pins: facts.pins.filter((messageId) => added.has(messageId)),
    checkpoints: facts.checkpoints.filter(({ messageId }) => added.has(messageId)),
    branchTips: [],
    agents: facts.agents.filter((agent) => !known.has(agent.id)),
    failed: facts.failed.filter(({ parentId }) => added.has(parentId)),
    steps: facts.steps.filter(({ messageId }) => added.has(messageId)),
  };
}
