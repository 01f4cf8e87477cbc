import { describe, expect, it } from 'vitest';
import type { ProviderId } from '../../shared/model/ids';
import type { ProviderConfig } from '../../shared/model/provider';
import { catalogEntry, isChatModel, mergeModels } from './catalog';

const provider = (more: Partial<ProviderConfig> = {}): ProviderConfig => ({
  id: 'p' as ProviderId,
  name: 'P',
  kind: 'openai-chat',
  baseUrl: 'https://api.example.com/v1',
  models: [],
  ...more,
});

describe('the catalogue', () => {
  it.each([
    ['gpt-4o', 'gpt-4o'],
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['openai/gpt-4o-mini:free', 'gpt-4o-mini'],
    ['gpt-5-mini-2025-08-07', 'gpt-5-mini'],
    ['models/gemini-2.5-flash-lite', 'gemini-2.5-flash-lite'],
    ['google/gemini-2.5-pro-preview-06-05', 'gemini-2.5-pro'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['claude-3-5-sonnet@20241022', 'claude-3-5-sonnet'],
    ['llama3.1:8b-instruct-q4_K_M', 'llama-3.1'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama-3.3'],
    ['Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf', 'llama-3.1'],
    ['llama3.2-vision:11b', 'llama-3.2-vision'],
    ['deepseek/deepseek-r1-0528:free', 'deepseek-reasoner'],
    ['qwen2.5-coder:7b', 'qwen2.5-coder'],
    ['o3', 'o3'],
  ])('P2: %s is known as %s', (id, known) => {
    expect(catalogEntry(id)?.id).toBe(known);
  });

  it('P2: a model of another generation is not taken for its elder', () => {
    for (const id of ['gpt-6', 'gpt-5.9', 'gpt-4.7', 'my-finetune', 'o5', 'gemini-4-pro', '']) expect(catalogEntry(id), id).toBeNull();
  });

  it('P2: facts that depend on each other are whole', () => {
    expect(catalogEntry('gpt-4.1')).toEqual({
      id: 'gpt-4.1',
      name: 'GPT-4.1',
      contextWindow: 1_047_576,
      maxOutput: 32_768,
      vision: true,
      reasoning: false,
      tools: true,
      inputPrice: 2,
      outputPrice: 8,
      cachedInputPrice: 0.5,
    });
    expect(catalogEntry('kimi-k2-thinking')).toMatchObject({ reasoningEcho: 'withTools' });
  });

  it('P2: what cannot chat is left out unless the user names it', () => {
    for (const id of [
      'text-embedding-3-small',
      'whisper-1',
      'tts-1',
      'dall-e-3',
      'gpt-image-1',
      'omni-moderation-latest',
      'gpt-4o-realtime-preview',
      'imagen-4.0-generate-001',
      'nomic-embed-text',
    ])
      expect(isChatModel(id), id).toBe(false);
    for (const id of ['gpt-4o', 'llama3.2', 'gemini-2.5-flash', 'o3', 'claude-sonnet-4-5']) expect(isChatModel(id), id).toBe(true);
    expect(
      mergeModels(provider({ models: [{ id: 'whisper-1' }] }), [{ id: 'whisper-1' }, { id: 'tts-1' }, { id: 'gpt-4o' }]).map(
        ({ id }) => id,
      ),
    ).toEqual(['whisper-1', 'gpt-4o']);
  });
});

describe('what is offered', () => {
  it('P2: user numbers win over the server’s list, and that over the catalogue', () => {
    const models = mergeModels(provider({ models: [{ id: 'gpt-4o', contextWindow: 1000, maxOutput: undefined }] }), [
      { id: 'gpt-4o', contextWindow: 2000, maxOutput: 300, vision: undefined },
    ]);
    expect(models).toEqual([
      {
        id: 'gpt-4o',
        name: 'GPT-4o',
        contextWindow: 1000,
        maxOutput: 300,
        vision: true,
        reasoning: false,
        tools: true,
        inputPrice: 2.5,
        outputPrice: 10,
        cachedInputPrice: 1.25,
        ref: 'p/gpt-4o',
        providerId: 'p',
        providerName: 'P',
        demo: false,
      },
    ]);
  });

  it('P2: a local server’s window is what it loaded, never what the catalogue says', () => {
    const local = provider({ baseUrl: 'http://127.0.0.1:11434/v1' });
    const [unknown, loaded] = mergeModels(local, [{ id: 'llama3.1:8b' }, { id: 'gemma3:4b', contextWindow: 4096 }]);
    expect(unknown).toMatchObject({ name: 'Llama 3.1', vision: false, tools: true });
    expect(unknown?.contextWindow).toBeUndefined();
    expect(loaded).toMatchObject({ contextWindow: 4096, vision: true });
    expect(mergeModels(local, [{ id: 'gpt-oss:20b' }])[0]).not.toHaveProperty('inputPrice');
  });

  it('P2: a model unknown everywhere has no invented numbers', () => {
    expect(mergeModels(provider(), [{ id: 'mystery' }])).toEqual([
      { id: 'mystery', ref: 'p/mystery', providerId: 'p', providerName: 'P', demo: false },
    ]);
  });

  it('P1: the demo is labelled, and there without asking', () => {
    const models = mergeModels(provider({ kind: 'demo', baseUrl: undefined }), []);
    expect(models.map(({ id, demo, contextWindow }) => [id, demo, contextWindow])).toEqual([
      ['demo', true, 8192],
      ['demo-large', true, 128_000],
    ]);
  });
});
