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
    'Groq, count',
    400,
    { error: { message: 'Too many images provided. This model supports up to 5 images', type: 'invalid_request_error' } },
  ],
  ['vLLM, count', 400, { message: 'At most 1 image(s) may be provided in one request.' }],
  ['vLLM, damaged', 500, { message: 'cannot identify image file <_io.BytesIO object at 0x7f>' }],
  ['llama.cpp, damaged', 400, { error: { code: 400, message: 'Failed to load image or audio file', type: 'invalid_request_error' } }],
  ['Ollama, damaged', 400, { error: { message: 'invalid image input' } }],
  ['a size alone', 400, { error: { message: 'This model does not support images larger than 20 MB.' } }],
  ['a kind alone', 400, { error: { message: 'The model does not support image format image/tiff.' } }],
  ['an address alone', 400, { error: { message: "This model doesn't support image URLs; send the data." } }],
  ['a place alone', 400, { error: { message: 'Images are not supported in system messages.' } }],
  ['one picture', 400, { error: { message: 'This image is not supported.' } }],
  ['Fireworks', 400, { message: 'Cannot preprocess image len(combined_imgs) = 1, len(image_ranges) = 0, please provide valid images' }],
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
    ['vLLM', 'At most 4 image(s) may be provided in one request.', 4],
    ['vLLM, one', 'At most 1 image(s) may be provided in one prompt.', 1],
    ['Xinference', 'You set image=2 (or defaulted to 1) in `--limit-mm-per-prompt`, but passed 3 image items in the same prompt.', 2],
    ['Groq', 'Too many images provided. This model supports up to 5 images', 5],
    ['Anthropic', 'messages: too many images and documents: 101 + 0 > 100', 100],
    ['no number', 'Too many images.', undefined],
    ['a size', 'image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes', undefined],
  ])('P7: how many pictures a request may hold is read: %s', (_name, message, count) => {
    const { code, detail } = of(400, { error: { message } });
    expect([code, detail?.limit]).toEqual(['imageRefused', count]);
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
