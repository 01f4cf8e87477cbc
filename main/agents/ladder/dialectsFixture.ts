// One scripted model in the dialect of each provider family: how it speaks, calls, refuses, and what it counts of a request.
import { end, head, json, type Step, send } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatPath, chatStream } from '../../../e2e/fixtures/scripts/chat';
import { geminiChunk, geminiPath, geminiStream } from '../../../e2e/fixtures/scripts/gemini';
import {
  callEvents,
  completed,
  functionCall,
  responsesEvent,
  responsesPath,
  responsesStream,
} from '../../../e2e/fixtures/scripts/responses';
import type { ProviderConfig } from '../../../shared/model/provider';

export type DialectName = 'chat' | 'responses' | 'gemini';
export type ScriptedCall = { id: string; name: string; arguments: string };
/** Tokens as the server reports them. */
export type Reported = { input: number; output: number };

export type Dialect = {
  kind: ProviderConfig['kind'];
  route: string;
  baseUrl(server: string): string;
  say(text: string, usage?: Reported): Step[];
  call(call: ScriptedCall, text: string, usage?: Reported): Step[];
  tooManyTokens(tokens: number, window: number): Step[];
  tooManyBytes(): Step[];
  outOfOrder(): Step[];
  /** What is said, called and offered in a request, without the JSON around it and without pictures. */
  textsOf(body: string): string[];
  /** The pictures of a request, as data URLs. */
  picturesOf(body: string): string[];
};

const overWindow = (tokens: number, window: number) =>
  `This model's maximum context length is ${window} tokens. However, you requested ${tokens} tokens.`;

type ChatPart = { text?: string; image_url?: { url: string } };
type ChatBody = {
  messages?: { content?: string | ChatPart[] | null; tool_calls?: { function?: { name?: string; arguments?: string } }[] }[];
  tools?: unknown;
};
const partsOf = (content: string | ChatPart[] | null | undefined): ChatPart[] => (Array.isArray(content) ? content : []);
const chatUsage = (usage: Reported | undefined) =>
  usage ? { usage: { prompt_tokens: usage.input, completion_tokens: usage.output } } : undefined;

const chat: Dialect = {
  kind: 'openai-chat',
  route: `POST ${chatPath}`,
  baseUrl: (server) => `${server}/v1`,
  say: (text, usage) => chatStream([text], chatUsage(usage)),
  call: (call, text) => chatCalls([call], [text]),
  tooManyTokens: (tokens, window) => chatError(400, overWindow(tokens, window)),
  tooManyBytes: () => chatError(413, 'Request Entity Too Large'),
  outOfOrder: () => chatError(500, 'out of order'),
  textsOf: (body) => {
    const { messages = [], tools } = JSON.parse(body) as ChatBody;
    const said = messages.flatMap(({ content, tool_calls: calls = [] }) => [
      typeof content === 'string'
        ? content
        : partsOf(content)
            .map(({ text = '' }) => text)
            .join('\n'),
      ...calls.map(({ function: call }) => `${call?.name} ${call?.arguments}`),
    ]);
    return tools ? [JSON.stringify(tools), ...said] : said;
  },
  picturesOf: (body) => {
    const { messages = [] } = JSON.parse(body) as ChatBody;
    return messages.flatMap(({ content }) => partsOf(content).flatMap((part) => part.image_url?.url ?? []));
  },
};

type ResponsesBody = { instructions?: string; input?: { content?: unknown; arguments?: string; output?: unknown }[]; tools?: unknown };
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
const responsesUsage = ({ input, output }: Reported) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

const responses: Dialect = {
  ...chat,
  kind: 'openai-responses',
  route: `POST ${responsesPath}`,
  say: (text) => responsesStream([text]),
  call: (call, text, usage) => [
    head(),
    send(
      [
        responsesEvent('response.created', {
          response: { id: 'resp_1', object: 'response', status: 'in_progress', error: null, output: [] },
        }),
        responsesEvent('response.output_text.delta', { item_id: 'msg_0', output_index: 0, content_index: 0, delta: text }),
        callEvents(1, functionCall(call.id, call.name, call.arguments)),
        completed([text], usage && responsesUsage(usage)),
      ].join(''),
    ),
    end(),
  ],
  textsOf: (body) => {
    const { instructions = '', input = [], tools } = JSON.parse(body) as ResponsesBody;
    const said = input.map(({ content, arguments: args, output }) => asText(content ?? args ?? output));
    return [instructions, ...(tools ? [JSON.stringify(tools)] : []), ...said];
  },
  picturesOf: () => [],
};

type GeminiPart = {
  text?: string;
  functionCall?: { name?: string; args?: unknown };
  functionResponse?: { response?: Record<string, unknown> };
};
type GeminiBody = { systemInstruction?: unknown; contents?: { parts?: GeminiPart[] }[]; tools?: unknown };
const geminiText = ({ text, functionCall: call, functionResponse: result }: GeminiPart) =>
  text ??
  (call
    ? `${call.name} ${JSON.stringify(call.args)}`
    : Object.values(result?.response ?? {})
        .map(asText)
        .join(' '));
const geminiError = (code: number, message: string, status: string) => json({ error: { code, message, status } }, code);

const gemini: Dialect = {
  kind: 'gemini',
  route: `POST ${geminiPath('m1')}`,
  baseUrl: (server) => server,
  say: (text) => geminiStream([text]),
  call: ({ id, name, arguments: args }, text, usage) => [
    head(),
    send(
      geminiChunk([{ text }]) +
        geminiChunk(
          [{ functionCall: { id, name, args: JSON.parse(args) as unknown } }],
          'STOP',
          usage && { usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output } },
        ),
    ),
    end(),
  ],
  tooManyTokens: (tokens, window) =>
    geminiError(400, `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`, 'INVALID_ARGUMENT'),
  tooManyBytes: () => geminiError(413, 'Request Entity Too Large', 'INVALID_ARGUMENT'),
  outOfOrder: () => geminiError(500, 'out of order', 'INTERNAL'),
  textsOf: (body) => {
    const { systemInstruction, contents = [], tools } = JSON.parse(body) as GeminiBody;
    const said = contents.flatMap(({ parts = [] }) => parts.map(geminiText));
    return [asText(systemInstruction), ...(tools ? [JSON.stringify(tools)] : []), ...said];
  },
  picturesOf: () => [],
};

export const dialects: Record<DialectName, Dialect> = { chat, responses, gemini };
