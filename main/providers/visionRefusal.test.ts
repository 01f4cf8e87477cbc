// S10, P4: each server's way to say that it takes no images, told apart from one picture that is bad, from full windows and from slow-downs.
import { expect, it } from 'vitest';
import type { Failure } from '../../shared/model/failure';
import { failureFromProblem } from './errors';
import { makeRedactor } from './redact';

const plain = makeRedactor([]);
const of = (status: number | undefined, text: string | object): Failure =>
  failureFromProblem({ status, text: typeof text === 'string' ? text : JSON.stringify(text), hasKey: true, model: 'm1' }, plain);
const error = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });

const refusals: [who: string, status: number | undefined, text: string | object][] = [
  [
    'OpenAI, chat',
    400,
    error('Invalid content type. image_url is only supported by certain models.', {
      param: 'messages.[1].content.[0].type',
      code: null,
    }),
  ],
  ['OpenAI, Responses', 400, error('This model does not support image inputs.', { param: 'input', code: null })],
  ['in the stream', undefined, error('This model does not support image inputs.')],
  ['Azure', 400, error("Image inputs aren't supported for this deployment")],
  [
    'Gemini',
    400,
    { error: { code: 400, message: 'Image input modality is not enabled for models/gemma-3-1b-it', status: 'INVALID_ARGUMENT' } },
  ],
  ['OpenRouter', 404, { error: { message: 'No endpoints found that support image input', code: 404 } }],
  ['a router like it', 404, { error: { code: '404', message: 'No endpoints found that support image input', param: '', type: '' } }],
  [
    'DeepSeek',
    422,
    'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1 column 99',
  ],
  ['Groq', 400, error("'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]")],
  ['Groq, older', 400, error('messages[0].content must be a string')],
  ['Mistral', 400, { object: 'error', message: 'Image input is not enabled for this model', type: 'invalid_request_message' }],
  ['xAI', 400, { error: 'Image inputs are not supported by this model.' }],
  [
    'Anthropic, by a gateway',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: "'claude-2.1' does not support image input." } },
  ],
  ['Bedrock', 400, { message: "This model doesn't support the image content block that you provided. Remove it and try again." }],
  [
    'Bedrock, fields',
    400,
    error("Validation error: This model doesn't support the image field for user messages. Remove image and try again."),
  ],
  ['vLLM', 400, { message: 'Qwen/Qwen3-8B is not a multimodal model', type: 'BadRequestError' }],
  ['vLLM, switched off', 400, { message: 'At most 0 image(s) may be provided in one request.' }],
  [
    'llama.cpp',
    500,
    error('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', { code: 500 }),
  ],
  ['llama.cpp, older', 500, { error: { code: 500, message: 'image input is not supported by this server', type: 'server_error' } }],
  ['llamafile', 500, error("The server was not compiled for multimodal or the model projector can't be loaded.")],
  ['Ollama', 500, error('Failed to create new sequence: failed to process inputs: this model is missing data required for image input')],
  ['Ollama, its cloud', 400, { error: 'this model does not support image input (ref: b8bd630e)' }],
  ['LM Studio', 400, { error: 'Model does not support images. Please use a model that does.' }],
  ['checked by schema', 422, { detail: "messages.0.content.list[TextContentPart].0.type: Input should be 'text'" }],
  ['a code', 400, error('Content of type image_url cannot be used here.', { code: 'unsupported_content_type' })],
  ['a type', 400, error("Unsupported content part type: 'image_url'")],
  ['text alone', 400, error('This model only supports text input.')],
  ['vision', 400, error('Vision is not supported by this model')],
];

it.each(refusals)('S10, P4: %s: a model that takes no images is told from one picture that is bad', (_who, status, text) => {
  expect(of(status, text)).toMatchObject({ code: 'visionRefused', retryable: true, detail: { model: 'm1' } });
  expect(of(429, text).code).toMatch(/^(rateLimited|quota)$/);
});

it.each([
  [400, "This model's maximum context length is 8192 tokens, and it does not support image input.", 'overflowTokens'],
  [413, 'Request Entity Too Large', 'overflowBytes'],
  [400, 'Could not process image', 'imageRefused'],
  [400, 'image exceeds 5 MB maximum', 'imageRefused'],
  [400, 'At most 2 image(s) may be provided in one request.', 'imageRefused'],
  [400, "messages.0.content.0.type: Input should be 'text' or 'image_url'", 'imageRefused'],
  [400, "Invalid 'image_url.url': it is no address.", 'imageRefused'],
  [400, 'llama2 does not support tools', 'toolsRefused'],
  [404, 'The model `gpt-4-vision-preview` does not exist', 'unknownModel'],
  [400, 'response_format only supports text', 'badRequest'],
  [500, 'Something broke', 'serverError'],
])('S10, P4: %s %s is something else', (status, message, code) => {
  expect(of(status, error(message)).code).toBe(code);
});
