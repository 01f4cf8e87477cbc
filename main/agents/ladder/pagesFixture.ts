// Turns with a model that sees, over a server that prices pictures and reads the pages it was sent, for tests of pages.
import type { Step } from '../../../e2e/fixtures/scriptedServer';
import { chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { ConversationId } from '../../../shared/model/ids';
import type { ModelInfo } from '../../../shared/model/provider';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { imageTokensFor } from '../../context/imagePrice';
import { asked, begin, goodCard, isForCard, route, send, world } from './passesFixture';

/** A reader whose pages hold 8,928 characters for 1,445 tokens. */
export const seeing: ModelInfo = { id: 'gpt-4o', vision: true, contextWindow: 32_000, maxOutput: 1000 };
export const roomy: ModelInfo = { ...seeing, contextWindow: 100_000 };

export async function beginSeeing({ compaction = {}, tools = [] as string[], model = seeing } = {} as Setup): Promise<void> {
  await begin({ compaction, tools });
  setModels(model);
}
type Setup = { compaction?: CompactionSettings; tools?: string[]; model?: ModelInfo };

/** The agent answers with the first of them. */
export function setModels(...models: ModelInfo[]): void {
  const { settings } = world.fixture;
  Object.assign(settings.providers[0] ?? {}, { models });
  settings.agents = settings.agents.map((agent) => ({ ...agent, model: `local/${models[0]?.id}` }));
}

type Sent = { messages: { role: string; content: string | { type: string; text?: string; image_url?: { url: string } }[] }[] };
type Body = { body: string };

/** The PNGs of a request, in order. */
export function picturesIn({ body }: Body): Buffer[] {
  const { messages } = JSON.parse(body) as Sent;
  const urls = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap((part) => part.image_url?.url ?? [])));
  return urls.map((url) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
}

/** Of its head. */
export const sizeOfPng = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

/** Everything of a request but the bytes of its pictures. */
export const wordsOf = ({ body }: Body): string => body.replaceAll(/data:image\/png;base64,[\w+/=]+/g, 'picture');

/** As its provider would count it. */
export function tokensOfBody(request: Body, modelId = seeing.id): number {
  const pictures = picturesIn(request).reduce((sum, png) => sum + imageTokensFor({ modelId, kind: 'openai-chat' }, sizeOfPng(png)), 0);
  return estimateTokens(wordsOf(request)) + pictures;
}

/** Refuses what does not fit the window that this model has at that moment; answers the rest with `answer` of the nth request, and cards with a good one. */
export function answeringSeeing(answer: (nth: number) => string, model: ModelInfo = seeing): void {
  let nth = 0;
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    const tokens = tokensOfBody(request, model.id);
    const { contextWindow = 0 } = model;
    return answerWithin(contextWindow, tokens, () => answer(++nth));
  });
}

/** The answer, or what a server says that does not count what it was asked for. */
export const answerWithin = (window: number, tokens: number, answer: () => string): Step[] =>
  tokens > window
    ? chatError(400, `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`)
    : chatStream([answer()]);

/** Prose with an id in each line. */
export const prose = (nth: number, lines = 60): string =>
  Array.from(
    { length: lines },
    (_, at) => `Line ${at} of answer ${nth} says that OAK-${nth * 1000 + at} was moved to the shelf behind the door.`,
  ).join('\n');
export const longProse = (nth: number): string => prose(nth, 240);

/** So many turns, from the first one or after what was said. */
export async function talk(turns: number, from: ConversationId | null = null): Promise<ConversationId> {
  let id = from;
  for (let turn = 1; turn <= turns; turn++)
    id = await send(id === null ? 'Never delete CEDAR-1. Begin.' : `Turn ${turn} asks about ELM-${turn}.`, id);
  return id as ConversationId;
}

/** The last request for an answer. */
export const lastAsked = (): Body => asked().at(-1) ?? { body: '{"messages":[]}' };
/** How many pictures each of those requests had. */
export const shownPictures = () => asked().map((request) => picturesIn(request).length);
