import { expect, it } from 'vitest';
import { readUsage } from './usage';

it.each([
  [
    'OpenAI chat',
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    { input: 100, output: 50, reasoning: 30, cachedInput: 64 },
  ],
  [
    'OpenAI Responses',
    { input_tokens: 100, output_tokens: 50, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 5 } },
    { input: 100, output: 50, reasoning: 5, cachedInput: 0 },
  ],
  [
    'DeepSeek',
    { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20 },
    { input: 100, output: 5, cachedInput: 80 },
  ],
  [
    'Anthropic names',
    { input_tokens: 20, output_tokens: 5, cache_read_input_tokens: 70, cache_creation_input_tokens: 10 },
    { input: 100, output: 5, cachedInput: 70 },
  ],
  ['Ollama', { prompt_eval_count: 26, eval_count: 298 }, { input: 26, output: 298 }],
  ['llama.cpp', { timings: { prompt_n: 20, cache_n: 80, predicted_n: 5 } }, { input: 100, output: 5, cachedInput: 80 }],
  [
    'Gemini',
    { promptTokenCount: 100, candidatesTokenCount: 5, thoughtsTokenCount: 10, cachedContentTokenCount: 40 },
    { input: 100, output: 15, reasoning: 10, cachedInput: 40 },
  ],
  ['numbers as text', { prompt_tokens: '7', completion_tokens: '3' }, { input: 7, output: 3 }],
  ['one of two', { prompt_tokens: 7, completion_tokens: null }, { input: 7, output: 0 }],
])('P3: usage of %s', (_name, raw, usage) => {
  expect(readUsage(raw)).toEqual(usage);
});

it('P3: what holds no count is no usage', () => {
  for (const raw of [null, undefined, 3, 'x', [], {}, { prompt_tokens: -1 }, { prompt_tokens: 'many' }, { timings: {} }])
    expect(readUsage(raw)).toBeNull();
});
