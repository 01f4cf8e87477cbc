// Where well-known providers live, so that adding one takes a name and a key. An empty base URL means the kind's own.
import type { ProviderKind } from '../../shared/model/provider';

export type ProviderPreset = {
  id: string;
  /** A product name; not translated. */
  name: string;
  kind: ProviderKind;
  baseUrl: string;
  /** Whether it wants a key: local servers mostly do not. */
  key: 'needed' | 'optional' | 'none';
  /** Where a key is made. */
  keyPage?: string | undefined;
};

export const providerPresets = [
  {
    id: 'openai',
    name: 'OpenAI',
    kind: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    key: 'needed',
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'openai-chat',
    name: 'OpenAI (Chat Completions)',
    kind: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    key: 'needed',
    keyPage: 'https://platform.openai.com/api-keys',
  },
  { id: 'gemini', name: 'Gemini', kind: 'gemini', baseUrl: '', key: 'needed', keyPage: 'https://aistudio.google.com/apikey' },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    kind: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    key: 'needed',
    keyPage: 'https://openrouter.ai/keys',
  },
  {
    id: 'groq',
    name: 'Groq',
    kind: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    key: 'needed',
    keyPage: 'https://console.groq.com/keys',
  },
  {
    id: 'mistral',
    name: 'Mistral',
    kind: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    key: 'needed',
    keyPage: 'https://console.mistral.ai/api-keys',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    kind: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    key: 'needed',
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  { id: 'xai', name: 'xAI', kind: 'openai-chat', baseUrl: 'https://api.x.ai/v1', key: 'needed', keyPage: 'https://console.x.ai' },
  {
    id: 'together',
    name: 'Together AI',
    kind: 'openai-chat',
    baseUrl: 'https://api.together.xyz/v1',
    key: 'needed',
    keyPage: 'https://api.together.ai/settings/api-keys',
  },
  { id: 'ollama', name: 'Ollama', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', key: 'none' },
  { id: 'lm-studio', name: 'LM Studio', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:1234/v1', key: 'none' },
  { id: 'llama-cpp', name: 'llama.cpp', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1', key: 'none' },
] as const satisfies readonly ProviderPreset[];

export const otherPreset: ProviderPreset = { id: 'other', name: '', kind: 'openai-chat', baseUrl: '', key: 'optional' };
export const demoPreset: ProviderPreset = { id: 'demo', name: 'Demo', kind: 'demo', baseUrl: '', key: 'none' };
/** What `finishOnboarding` is told for the demo. */
export const demoModel = 'demo/demo';

export function presetOf(id: string): ProviderPreset {
  return providerPresets.find((preset) => preset.id === id) ?? (id === 'demo' ? demoPreset : otherPreset);
}

/** The environment variable that people mostly keep its key in. */
export function usualVariable(preset: ProviderPreset | null): string {
  if (preset?.key !== 'needed') return 'MY_API_KEY';
  return `${preset.id.replace(/-.*/, '').toUpperCase()}_API_KEY`;
}
