// An agent: a persona with a name, a model, a system prompt, tools and parameters.
import * as z from 'zod/mini';
import { type CompactionSettings, compactionSettingsSchema } from './compaction';
import { type AgentId, agentId } from './ids';

export type ReasoningEffort = 'off' | 'low' | 'medium' | 'high';
export type AgentParameters = {
  temperature?: number | undefined;
  maxOutput?: number | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
};

export type Agent = {
  id: AgentId;
  name: string;
  /** `providerId/modelId`; null when the user has not chosen one yet. */
  model: string | null;
  systemPrompt: string;
  tools: string[];
  approval: 'ask' | 'auto-edit' | 'read-only';
  parameters: AgentParameters;
  /** Numbers of the ladder that are this agent's own. */
  compaction?: CompactionSettings | undefined;
};

export const agentParametersSchema = z.object({
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  maxOutput: z.optional(z.int().check(z.minimum(1))),
  reasoningEffort: z.optional(z.enum(['off', 'low', 'medium', 'high'])),
});

export const agentSchema = z.object({
  id: agentId,
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  model: z.nullable(z.string().check(z.regex(/^[^/]+\/.+$/))),
  systemPrompt: z._default(z.string(), ''),
  tools: z._default(z.array(z.string()), () => []),
  approval: z._default(z.enum(['ask', 'auto-edit', 'read-only']), 'ask'),
  parameters: z._default(agentParametersSchema, () => ({})),
  compaction: z.optional(compactionSettingsSchema),
});

/** Splits `providerId/modelId`; model ids may themselves hold slashes. What came from another program may name no provider. */
export function splitModel(model: string): { providerId: string; modelId: string } {
  const slash = model.indexOf('/');
  return { providerId: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}

/** What an answer goes by that no agent gave, as imported ones. */
export const nameOfModel = (model: string | null | undefined): string | undefined => (model ? splitModel(model).modelId : undefined);
