// Which agent answers next in the open conversation, with its model; and changing either.
import { type Agent, splitModel } from '../../shared/model/agent';
import type { Conversation } from '../../shared/model/conversation';
import type { AgentId } from '../../shared/model/ids';
import type { SettingsView } from '../../shared/model/settings';
import { appState, setSettings, showFailure, useSettings } from './appSlice';
import { client } from './client';
import { composerState, setDraftAgent, useDraftAgentId } from './composerSlice';
import { setConversationAgent } from './conversationsSlice';
import { useOpenConversation } from './talkSlice';
import { talkState } from './talkStore';

export type NextAgent = {
  agent: Agent | null;
  /** The id a conversation names although no such agent is known here (a workspace from elsewhere). */
  unknownId: AgentId | null;
  /** False when nothing can answer: no agent, no model, or its provider is gone. */
  ready: boolean;
  demo: boolean;
  modelName: string | null;
};

type Sources = { settings: SettingsView | null; conversation: Conversation | null; draftAgentId: AgentId | undefined };

function nextAgentOf({ settings, conversation, draftAgentId }: Sources): NextAgent {
  const agents = settings?.agents ?? [];
  const wanted = conversation?.agentId ?? draftAgentId ?? settings?.workspace.conversation.agentId ?? null;
  const known = agents.find((agent) => agent.id === wanted);
  const agent = known ?? (conversation?.agentId ? null : agents[0]) ?? null;
  const model = agent?.model ? splitModel(agent.model) : null;
  const provider = settings?.providers.find((candidate) => candidate.id === model?.providerId);
  return {
    agent,
    unknownId: conversation?.agentId && !known ? conversation.agentId : null,
    ready: provider !== undefined,
    demo: provider?.kind === 'demo',
    modelName: model?.modelId ?? null,
  };
}

export function useNextAgent(): NextAgent {
  return nextAgentOf({ settings: useSettings(), conversation: useOpenConversation(), draftAgentId: useDraftAgentId() });
}
/** For acts: who answers next as things stand now. */
export function nextAgentNow(): NextAgent {
  const { settings } = appState();
  return nextAgentOf({ settings, conversation: talkState().conversation, draftAgentId: composerState().draft.agentId });
}

export function chooseAgent(agentId: AgentId): void {
  const { conversationId } = talkState();
  if (conversationId) void setConversationAgent(conversationId, agentId);
  else setDraftAgent(agentId);
}

/** `model` is `providerId/modelId`. */
export async function chooseModel(agentId: AgentId, model: string): Promise<void> {
  try {
    setSettings(await client().agents.setModel({ agentId, model }));
  } catch (error) {
    showFailure(error);
  }
}
