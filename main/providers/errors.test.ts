import { describe, expect, it } from 'vitest';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { failureFromProblem, failureFromThrown } from './errors';
import { makeRedactor } from './redact';

const plain = makeRedactor([]);
const of = (status: number | undefined, text: string | object, more: { headers?: Headers; hasKey?: boolean; now?: number } = {}) =>
  failureFromProblem({ status, text: typeof text === 'string' ? text : JSON.stringify(text), hasKey: true, model: 'm1', ...more }, plain);

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
];

describe('overflow', () => {
  it.each(overflows)('P4: %s', (_name, status, text, window) => {
    const failure = of(status, text);
    expect(failure).toMatchObject({ code: 'overflowTokens', retryable: false });
    expect(failure.detail?.contextWindow).toBe(window);
  });

  it('P4: bytes are told from tokens', () => {
    expect(of(413, { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }).code).toBe('overflowBytes');
    expect(of(413, '<html><title>413 Request Entity Too Large</title></html>').code).toBe('overflowBytes');
    expect(of(413, '').code).toBe('overflowBytes');
    expect(of(413, 'prompt is too long: 9 tokens > 8 maximum').code).toBe('overflowTokens');
  });

  it('P4: a 429 is never an overflow, whatever it says of tokens', () => {
    for (const [, , text] of overflows) expect(of(429, text).code).toMatch(/^(rateLimited|quota)$/);
    expect(
      of(429, { error: { message: 'Rate limit reached: too many tokens per minute. Please reduce the length of the messages.' } }),
    ).toMatchObject({ code: 'rateLimited', retryable: true });
  });
});

/** Who, status, what it says of a picture; peers and compaction research 1.10, the vendors' own lists of codes. */
const imageRefusals: [string, number | undefined, string | object][] = [
  ['Anthropic', 400, anthropic('messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes')],
  [
    'Anthropic, pixels',
    400,
    anthropic('messages.2.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels'),
  ],
  ['Anthropic, many', 400, anthropic('At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels')],
  ['Anthropic, damaged', 400, anthropic('Could not process image')],
  [
    'Anthropic, wrong type',
    400,
    anthropic(
      'messages.0.content.0.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
    ),
  ],
  [
    'Anthropic, no such type',
    400,
    anthropic(
      "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ),
  ],
  [
    'OpenAI',
    400,
    {
      error: {
        message:
          "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
        code: 'invalid_image_format',
      },
    },
  ],
  [
    'OpenAI, damaged',
    400,
    {
      error: {
        message: 'The image data you provided does not represent a valid image. Please check your input and try again.',
        code: 'invalid_image',
        param: 'input',
      },
    },
  ],
  ['OpenAI, code alone', 400, { error: { message: 'Bad input.', code: 'image_parse_error' } }],
  ['OpenAI, in the stream', undefined, { error: { code: 'image_content_policy_violation', message: 'Your input was rejected.' } }],
  ['OpenAI, text model', 400, { error: { message: 'Invalid content type. image_url is only supported by certain models.', code: null } }],
  [
    'Gemini',
    400,
    {
      error: {
        code: 400,
        message: 'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  ['Gemini, damaged', 400, { error: { code: 400, message: 'Provided image is not valid.', status: 'INVALID_ARGUMENT' } }],
  ['Gemini, type', 400, { error: { code: 400, message: 'Unsupported MIME type: image/gif', status: 'INVALID_ARGUMENT' } }],
  [
    'Gemini, Gemma',
    400,
    { error: { code: 400, message: 'Image input modality is not enabled for models/gemma-3-1b-it', status: 'INVALID_ARGUMENT' } },
  ],
  ['OpenRouter', 404, { error: { message: 'No endpoints found that support image input', code: 404 } }],
  [
    'DeepSeek',
    422,
    'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 99',
  ],
  [
    'Groq',
    400,
    {
      error: { message: "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]" },
    },
  ],
  [
    'Groq, count',
    400,
    { error: { message: 'Too many images provided. This model supports up to 5 images', type: 'invalid_request_error' } },
  ],
  ['vLLM, count', 400, { message: 'At most 1 image(s) may be provided in one request.' }],
  ['vLLM, text model', 400, { message: 'Qwen/Qwen3-8B is not a multimodal model' }],
  ['vLLM, damaged', 500, { message: 'cannot identify image file <_io.BytesIO object at 0x7f>' }],
  [
    'llama.cpp',
    500,
    {
      error: {
        code: 500,
        message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
        type: 'server_error',
      },
    },
  ],
  ['llama.cpp, damaged', 400, { error: { code: 400, message: 'Failed to load image or audio file', type: 'invalid_request_error' } }],
  [
    'Ollama',
    500,
    { error: { message: 'Failed to create new sequence: failed to process inputs: this model is missing data required for image input' } },
  ],
  ['Ollama, damaged', 400, { error: { message: 'invalid image input' } }],
  ['LM Studio', 400, { error: 'Model does not support images. Please use a model that does.' }],
  ['Mistral', 400, { object: 'error', message: 'Image input is not enabled for this model', type: 'invalid_request_message' }],
  ['xAI', 400, { error: 'Image inputs are not supported by this model.' }],
];

function anthropic(message: string): object {
  return { type: 'error', error: { type: 'invalid_request_error', message } };
}

describe('pictures', () => {
  it.each(imageRefusals)('P4, P7: %s: a picture that is refused is neither an overflow nor another bad request', (_name, status, text) => {
    expect(of(status, text)).toMatchObject({ code: 'imageRefused', retryable: true });
    expect(of(429, text).code).toMatch(/^(rateLimited|quota)$/);
  });

  it.each([
    [400, 'Invalid schema for function view_image: schema must be an object', 'badRequest'],
    [400, "Unknown parameter: 'messages[0].picture'", 'badRequest'],
    [404, 'The model `gpt-4-vision-preview` does not exist', 'unknownModel'],
    [
      400,
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (7000 in the messages, 2000 in images).",
      'overflowTokens',
    ],
    [413, 'Request Entity Too Large', 'overflowBytes'],
    [500, 'failed to pull the docker layer', 'serverError'],
  ])('P7: %s %s is not about a picture', (status, message, code) => {
    expect(of(status, { error: { message } }).code).toBe(code);
  });
});

describe('everything else', () => {
  it.each([
    [401, { error: { message: 'Unauthorized' } }, 'badKey', false],
    [400, { error: { message: 'API key not valid. Please pass a valid API key.' } }, 'badKey', false],
    [402, { error: { message: 'Insufficient credits' } }, 'quota', false],
    [
      429,
      { error: { message: 'You exceeded your current quota, please check your plan and billing details.', code: 'insufficient_quota' } },
      'quota',
      false,
    ],
    [429, { error: { message: 'Too many requests' } }, 'rateLimited', true],
    [403, { error: { message: 'Country not supported' } }, 'forbidden', false],
    [
      404,
      { error: { message: 'The model `gpt-9` does not exist or you do not have access to it.', code: 'model_not_found' } },
      'unknownModel',
      false,
    ],
    [404, { error: { message: 'model "llama9" not found, try pulling it first' } }, 'unknownModel', false],
    [400, { error: { message: 'foo/bar is not a valid model ID' } }, 'unknownModel', false],
    [
      404,
      { error: { code: 404, message: 'models/gemini-9 is not found for API version v1beta', status: 'NOT_FOUND' } },
      'unknownModel',
      false,
    ],
    [404, '404 page not found', 'badUrl', false],
    [405, '{"detail":"Method Not Allowed"}', 'badUrl', false],
    [
      400,
      { error: { message: 'The response was filtered due to the prompt triggering content management policy', code: 'content_filter' } },
      'refused',
      false,
    ],
    [422, { detail: [{ loc: ['body', 'messages'], msg: 'field required' }] }, 'badRequest', false],
    [408, 'Timed out reading request body', 'timeout', true],
    [500, 'oops', 'serverError', true],
    [503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'serverError', true],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'serverError', true],
  ])('P5: %s %o is %s', (status, text, code, retryable) => {
    expect(of(status, text)).toMatchObject({ code, retryable, detail: { status, model: 'm1' } });
  });

  it('P5: a 401 without a key says that one is needed', () => {
    expect(of(401, '', { hasKey: false }).code).toBe('noKey');
  });

  it('P5: the wait a provider asks for, in each of its forms', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const wait = (headers: Record<string, string>, text = '') => of(429, text, { headers: new Headers(headers), now }).detail?.retryAfterMs;
    expect(wait({ 'retry-after': '30' })).toBe(30_000);
    expect(wait({ 'retry-after': '1.5' })).toBe(1500);
    expect(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' })).toBe(60_000);
    expect(wait({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' })).toBe(0);
    expect(wait({ 'retry-after-ms': '250', 'retry-after': '30' })).toBe(250);
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined();
    expect(wait({})).toBeUndefined();
    expect(wait({}, 'Please try again in 6m0.5s.')).toBe(360_500);
    expect(wait({}, 'Please try again in 20ms.')).toBe(20);
    expect(wait({}, '{"details":[{"retryDelay":"36s"}]}')).toBe(36_000);
  });

  it('P5: what fetch throws', () => {
    const cause = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(`x ${code}`), { code }) });
    const code = (error: unknown, streaming = false) => failureFromThrown(error, { streaming }).code;
    expect(code(cause('ENOTFOUND'))).toBe('unreachable');
    expect(code(cause('ECONNREFUSED'))).toBe('unreachable');
    expect(
      code(new TypeError('fetch failed', { cause: new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })]) })),
    ).toBe('unreachable');
    expect(code(cause('UND_ERR_CONNECT_TIMEOUT'))).toBe('unreachable');
    expect(code(cause('DEPTH_ZERO_SELF_SIGNED_CERT'))).toBe('unreachable');
    expect(code(cause('ECONNRESET'))).toBe('connectionLost');
    expect(code(new TypeError('terminated', { cause: new Error('other side closed') }), true)).toBe('connectionLost');
    expect(code(new TypeError('Failed to parse URL from x'))).toBe('badUrl');
    expect(code(new RangeError('a bug'))).toBe('internal');
    expect(code(new Error('outer', { cause: new FailureError(makeFailure('badKey', 'x')) }))).toBe('badKey');
  });
});

describe('keys', () => {
  it('Z3: a key is cut out of texts, encoded or not, and so is what looks like one', () => {
    const key = 'my+secret/key=42';
    const redact = makeRedactor([key, null, '']);
    for (const text of [key, `a ${encodeURIComponent(key)} b`, JSON.stringify({ key }), `Basic ${Buffer.from(key).toString('base64')}`]) {
      for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]) expect(redact(text)).not.toContain(form);
    }
    expect(plain('Incorrect API key provided: sk-proj-abc***xyz.')).toBe('Incorrect API key provided: [key].');
    expect(plain('Authorization: Bearer abcdef123456')).not.toContain('abcdef');
    expect(plain('GET /models?key=AIzaSyA1234567890 failed')).not.toContain('AIza');
    expect(plain('"x-goog-api-key": "abc12345"')).not.toContain('abc12345');
    expect(plain('The key question is: which monkey took the token count?')).toBe(
      'The key question is: which monkey took the token count?',
    );
  });

  it('Z3: no part of a failure holds the key, address included', () => {
    const key = 'topsecretvalue';
    const failure = failureFromProblem(
      { status: 400, text: `no ${key}`, url: `https://u:${key}@host/v1?key=${key}`, hasKey: true },
      makeRedactor([key]),
    );
    expect(JSON.stringify(failure)).not.toContain(key);
    expect(
      JSON.stringify(
        failureFromThrown(new TypeError(`Invalid URL ${key}`), { streaming: false, url: `http://${key}` }, makeRedactor([key])),
      ),
    ).not.toContain(key);
  });
});
