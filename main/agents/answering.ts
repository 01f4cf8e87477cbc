// Gathers what a request is built from: the path, the agent's own steps from its transcript, and the texts of files. A lost blob is told to the model, never hidden (X4).
import type { Agent } from '../../shared/model/agent';
import { FailureError } from '../../shared/model/failure';
import type { AgentId, BlobHash, MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, ToolDefinition } from '../../shared/model/request';
import type { Step } from '../../shared/model/transcript';
import { buildContext } from '../context/buildRequest';
import type { ReadableDb } from '../store/database';
import { readPath } from '../store/messages';
import { transcriptStepOf } from '../store/transcriptSteps';
import { usedAgents } from '../store/usedAgents';
import type { BlobStore } from '../transcript/blobs';
import type { Transcripts } from '../transcript/transcripts';

export type AnsweringDeps = { db: ReadableDb; blobs: Pick<BlobStore, 'read'>; transcripts: Transcripts };

/** What is answered, by whom, and what the model may call. */
export type Asked = { parentId: MessageId; agent: Agent; model: ModelInfo; tools: readonly ToolDefinition[] };

/** The request for an answer that hangs under `parentId`. Throws `transcriptNewer`. */
export async function requestFor(deps: AnsweringDeps, { parentId, agent, model, tools }: Asked): Promise<ModelRequest> {
  const path = readPath(deps.db, parentId);
  const steps = await ownSteps(deps, path, agent.id);
  return buildContext({
    path,
    agent,
    model,
    texts: await readTexts(deps.blobs, path),
    steps,
    agentNames: namesOf(deps.db, path, agent),
    tools,
  }).request;
}

/** The agent's own steps by their message. A transcript that cannot be read leaves the messages themselves (X7); a newer one stops the turn. */
async function ownSteps(deps: AnsweringDeps, path: readonly Message[], agentId: AgentId): Promise<Map<MessageId, Step>> {
  const conversationId = path[0]?.conversationId;
  if (!conversationId) return new Map();
  const place = { conversationId, agentId };
  const refs = path.flatMap((message) =>
    message.agentId === agentId ? (transcriptStepOf(deps.db, { messageId: message.id, agentId }) ?? []) : [],
  );
  try {
    deps.transcripts.open(place);
    return new Map((await deps.transcripts.steps(place, refs)).map((step) => [step.messageId, step]));
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code === 'transcriptNewer') throw error;
    return new Map();
  }
}

/** Names of the other agents on the path, as they were last used in this conversation. */
function namesOf(db: ReadableDb, path: readonly Message[], agent: Agent): Map<AgentId, string> {
  const other = path.find((message) => message.agentId !== undefined && message.agentId !== agent.id);
  return new Map(other ? usedAgents(db, other.conversationId).map(({ id, name }) => [id, name]) : []);
}

async function readTexts(blobs: Pick<BlobStore, 'read'>, path: readonly Message[]): Promise<Map<BlobHash, string>> {
  const texts = new Map<BlobHash, string>();
  for (const part of path.flatMap((message) => message.parts)) {
    if (part.type !== 'file' || !part.textHash || texts.has(part.textHash)) continue;
    try {
      texts.set(part.textHash, new TextDecoder().decode(await blobs.read(part.textHash)));
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
    }
  }
  return texts;
}
