// P2: what is known of models before any server is asked, and how that, the server's list and the user's own numbers become one offer.
import * as z from 'zod/mini';
import geminiModels from '../../assets/catalog/gemini.json';
import openModels from '../../assets/catalog/open.json';
import openaiModels from '../../assets/catalog/openai.json';
import otherModels from '../../assets/catalog/others.json';
import { type ModelInfo, modelInfoSchema, type OfferedModel, type ProviderConfig } from '../../shared/model/provider';
import { plainId } from '../lib/plainId';
import { isLocalUrl } from './baseUrl';
import { demoModels } from './demo/models';

const entrySchema = z.extend(modelInfoSchema, { aliases: z.optional(z.array(z.string())) });

let index: Map<string, ModelInfo> | null = null;

function entries(): Map<string, ModelInfo> {
  if (index) return index;
  index = new Map();
  for (const { aliases, ...model } of z.array(entrySchema).parse([...openaiModels, ...geminiModels, ...openModels, ...otherModels])) {
    for (const id of [model.id, ...(aliases ?? [])]) index.set(plainId(id), model);
  }
  return index;
}

/**
 * The entry of a model under whatever name a gateway gives it: `openai/gpt-4o:free`, `models/gemini-2.5-pro`, `gpt-4o-2024-08-06`,
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `llama3.1:8b`. The longest known name at its start decides.
 */
export function catalogEntry(modelId: string): ModelInfo | null {
  const all = entries();
  let name = plainId(modelId);
  while (name !== '') {
    const found = all.get(name);
    if (found) return found;
    name = name.slice(0, Math.max(0, name.lastIndexOf('-')));
  }
  return null;
}

/** What cannot answer in a conversation: it stays out of the list unless the user names it. */
export function isChatModel(id: string): boolean {
  return !/embed|whisper|\btts\b|-tts|dall-?e|moderation|transcribe|realtime|gpt-image|imagen|\bveo\b|veo-|rerank|sora|-audio|babbage|davinci|-live-|\baqa\b|computer-use/i.test(
    id,
  );
}

/** The models of a provider as offered for choice: user numbers over the server's list over the catalogue. The demo needs no list. */
export function mergeModels(config: Omit<ProviderConfig, 'apiKey'>, fromServer: readonly ModelInfo[]): OfferedModel[] {
  const listed = config.kind === 'demo' ? demoModels : fromServer;
  const own = new Map(config.models.map((model) => [model.id, model]));
  const named = [
    ...config.models.filter((model) => !listed.some(({ id }) => id === model.id)),
    ...listed.filter(({ id }) => own.has(id) || isChatModel(id)),
  ];
  const isLocal = config.baseUrl !== undefined && isLocalUrl(config.baseUrl);
  return named.map((model) => {
    const known = catalogEntry(model.id);
    // What a local server loaded is its window; what the model could do elsewhere, and what it costs there, says nothing.
    const facts =
      known && isLocal
        ? { name: known.name, vision: known.vision, reasoning: known.reasoning, tools: known.tools, reasoningEcho: known.reasoningEcho }
        : known;
    const merged = {
      ...defined(facts ?? {}),
      ...defined(listed.find(({ id }) => id === model.id) ?? {}),
      ...defined(own.get(model.id) ?? {}),
    };
    return {
      ...merged,
      id: model.id,
      ref: `${config.id}/${model.id}`,
      providerId: config.id,
      providerName: config.name,
      demo: config.kind === 'demo',
    };
  });
}

function defined(model: Partial<ModelInfo>): Partial<ModelInfo> {
  return Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined));
}
