import { describe, expect, it } from 'vitest';
import type { Failure } from '../../shared/model/failure';
import { failureFromProblem } from './errors';
import { makeRedactor } from './redact';

const plain = makeRedactor([]);
const of = (status: number | undefined, text: string | object): Failure =>
  failureFromProblem({ status, text: typeof text === 'string' ? text : JSON.stringify(text), hasKey: true, model: 'm1' }, plain);

/** compaction research 1.10: provider, status, exact text, window it names. */
const overflows: [string, number | undefined, string | object, number | undefined][] = [
  [
    'Anthropic',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 208380 tokens > 200000 maximum' } },
    200_000,
  ],
  [
    'Anthropic, reservation',
    400,
    'input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648, decrease input length or `max_tokens` and try again',
    204_648,
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }, undefined],
  [
    'Bedrock, wrapped',
    400,
    { message: 'The model returned the following errors: prompt is too long: 227255 tokens > 200000 maximum' },
    200_000,
  ],
  [
    'OpenAI chat',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    4097,
  ],
  [
    'OpenAI Responses',
    undefined,
    {
      type: 'error',
      code: 'context_length_exceeded',
      param: 'input',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    },
    undefined,
  ],
  ['OpenAI, code alone', 400, { error: { message: 'Bad input.', code: 'context_too_large' } }, undefined],
  [
    'Gemini',
    400,
    {
      error: {
        code: 400,
        message: 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    1_048_576,
  ],
  [
    'OpenRouter under 200',
    undefined,
    {
      error: {
        code: 400,
        message:
          'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 141607 tokens (10535 of text input, 131072 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
        metadata: { provider_name: 'X' },
      },
    },
    131_072,
  ],
  [
    'Gemini, wrapped in an array',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    1_048_576,
  ],
  [
    'Gemini, JSON twice',
    400,
    {
      error: {
        code: 400,
        message: JSON.stringify({
          error: { code: 400, message: 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).' },
        }),
        status: 'Bad Request',
      },
    },
    1_048_576,
  ],
  [
    'DeepSeek, reservation',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 1048576 tokens. However, you requested 1068889 tokens (815916 in the messages, 252973 in the completion). Please reduce the length of the messages or completion.",
        type: 'invalid_request_error',
      },
    },
    1_048_576,
  ],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 40960 tokens in the messages, Please reduce the length of the messages.",
      type: 'BadRequestError',
      code: 400,
    },
    32_768,
  ],
  ['Groq', 400, { error: { message: 'Please reduce the length of the messages or completion.' } }, undefined],
  ['xAI', 400, { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." }, 131_072],
  [
    'Mistral',
    400,
    { message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length' },
    32_768,
  ],
  [
    'Copilot',
    400,
    { error: { message: 'prompt token count of 140000 exceeds the limit of 128000', code: 'model_max_prompt_tokens_exceeded' } },
    128_000,
  ],
  ['MiniMax', 400, 'invalid params, context window exceeds limit (2013)', undefined],
  ['Kimi', 400, { error: { message: 'Invalid request: Your request exceeded model token limit: 262144' } }, undefined],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 4390,
        n_ctx: 4096,
      },
    },
    4096,
  ],
  [
    'llama.cpp, older',
    500,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'invalid_request_error',
      },
    },
    undefined,
  ],
  ['llama.cpp, mid-generation', 500, { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } }, undefined],
  [
    'LM Studio, plain string',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input',
    },
    4096,
  ],
  [
    'LM Studio, loaded',
    400,
    {
      error:
        'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.',
    },
    8192,
  ],
  ['LM Studio, truncate', 400, { error: 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)' }, 7424],
  [
    'LM Studio, in the stream',
    undefined,
    {
      error: {
        message: 'Input does not fit in context length. The input has 31430 tokens, but the context length only supports 30000 tokens.',
      },
      message: 'x',
    },
    30_000,
  ],
  [
    'Ollama, JSON in a string',
    400,
    {
      error: JSON.stringify({
        error: {
          code: 400,
          message: 'request (42947 tokens) exceeds the available context size (8192 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_ctx: 8192,
        },
      }),
    },
    8192,
  ],
  [
    'Ollama, the whole body a string',
    400,
    JSON.stringify(
      JSON.stringify({
        error: {
          code: 400,
          message: 'request (42947 tokens) exceeds the available context size (8192 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 42947,
          n_ctx: 8192,
        },
      }),
    ),
    8192,
  ],
  [
    'z.ai, as an error',
    undefined,
    { error: { code: 'model_context_window_exceeded', message: 'The model has reached its context window limit.' } },
    undefined,
  ],
];

describe('overflow', () => {
  it.each(overflows)('P4: %s', (_name, status, text, window) => {
    const failure = of(status, text);
    expect(failure).toMatchObject({ code: 'overflowTokens', retryable: false });
    expect(failure.detail?.contextWindow).toBe(window);
  });

  it.each([
    ['prompt is too long: 208380 tokens > 200000 maximum', 208_380],
    ['input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648', 189_136],
    [
      "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion).",
      3120,
    ],
    [
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 141607 tokens (10535 of text input, 131072 in the output).",
      10_535,
    ],
    ['The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).', 1_200_293],
    ['Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length', 40_000],
    ['prompt token count of 130001 exceeds the limit of 128000', 130_001],
    ['request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it', 4390],
    ['Input does not fit in context length. The input has 31430 tokens, but the context length only supports 30000 tokens.', 31_430],
    ['Trying to keep the first 15857 tokens when context the overflows.', 15_857],
    ['Your input exceeds the context window of this model.', undefined],
  ])('P4, L16: %s: the size of what was sent', (message, size) => {
    expect(of(400, { error: { message } }).detail?.size).toBe(size);
  });

  it('P4: bytes are told from tokens', () => {
    expect(of(413, { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }).code).toBe('overflowBytes');
    expect(of(413, '<html><title>413 Request Entity Too Large</title></html>').code).toBe('overflowBytes');
    expect(of(413, '').code).toBe('overflowBytes');
  });

  it.each([
    ['Request exceeds the maximum size of 32 MB', 32_000_000],
    ['request body too large: limit is 10485760 bytes', 10_485_760],
    ['Payload too large. Maximum allowed is 6 MiB.', 6_291_456],
    ['Request size 12.5 MB exceeds the limit of 4.5MB', 4_500_000],
    ['Request exceeds the maximum size', undefined],
  ])('L14: “%s” names its limit, and what was sent is known', (message, limit) => {
    const problem = { status: 413, text: JSON.stringify({ error: { message } }), hasKey: true, sentBytes: 50_000_000 };
    const { code, detail } = failureFromProblem(problem, plain);
    expect([code, detail?.size, detail?.limit]).toEqual(['overflowBytes', 50_000_000, limit]);
  });

  it('P4: a 413 about tokens is one about tokens', () => {
    expect(of(413, 'prompt is too long: 9 tokens > 8 maximum').code).toBe('overflowTokens');
  });

  it('P4: a 429 is never an overflow, whatever it says of tokens', () => {
    for (const [, , text] of overflows) expect(of(429, text).code).toMatch(/^(rateLimited|quota)$/);
    expect(
      of(429, { error: { message: 'Rate limit reached: too many tokens per minute. Please reduce the length of the messages.' } }),
    ).toMatchObject({ code: 'rateLimited', retryable: true });
  });
});
