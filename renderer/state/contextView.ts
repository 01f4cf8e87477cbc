// How full the next request would be, for the context ring; and the window of a model as the person states it.
import { splitModel } from '../../shared/model/agent';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { appState, setSettings, showFailure } from './appSlice';
import { client } from './client';
import { patchComposer } from './composerSlice';

let asked = 0;
/** What the next request would hold, for the ring; the newest answer wins. */
export async function loadContext(conversationId: ConversationId | null, agentId: AgentId | null): Promise<void> {
  const mine = ++asked;
  try {
    const context = await client().talk.context({ conversationId, agentId });
    if (mine === asked) patchComposer({ context });
  } catch {
    // Without an answer the ring is not shown: it is a hint, and the turn itself will say what is wrong.
    if (mine === asked) patchComposer({ context: null });
  }
}

/** The window of a model as the person states it; `model` is `providerId/modelId`. */
export async function saveWindow(model: string, contextWindow: number): Promise<boolean> {
  const { providerId, modelId } = splitModel(model);
  const known = appState()
    .settings?.providers.find((provider) => provider.id === providerId)
    ?.models.find((candidate) => candidate.id === modelId);
  try {
    setSettings(await client().settings.saveModel({ providerId, model: { ...known, id: modelId, contextWindow } }));
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}
