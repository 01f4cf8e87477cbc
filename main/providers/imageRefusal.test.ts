import { describe, expect, it } from 'vitest';
import type { Failure } from '../../shared/model/failure';
import { failureFromProblem } from './errors';
import { makeRedactor } from './redact';

const plain = makeRedactor([]);
const of = (status: number | undefined, text: string | object): Failure =>
  failureFromProblem({ status, text: typeof text === 'string' ? text : JSON.stringify(text), hasKey: true, model: 'm1' }, plain);

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
