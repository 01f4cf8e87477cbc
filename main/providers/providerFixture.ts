// For tests: connections to a scripted server, short requests, and streams read to their end.

import type { Play, Recorded, ScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatPath } from '../../e2e/fixtures/scripts/chat';
import type { Failure } from '../../shared/model/failure';
import type { ProviderId } from '../../shared/model/ids';
import type { ProviderConfig, ProviderKind } from '../../shared/model/provider';
import type { ModelRequest, ProviderEvent, ToolCallEvent, ToolDefinition } from '../../shared/model/request';
import type { Connection, Learned, Provider } from './port';

export const testKey = 'sk-test-0123456789abcdef';

/** The smallest picture: one red pixel. */
export const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const onePixelBytes: Uint8Array = Buffer.from(onePixel, 'base64');

type ConnectionOptions = {
  apiKey?: string | null;
  timeouts?: Connection['timeouts'];
  blobs?: Record<string, Uint8Array>;
  provider?: Partial<ProviderConfig>;
};

/** `learned` collects what the adapter found out. */
export function connectTo(
  kind: ProviderKind,
  baseUrl: string | undefined,
  options: ConnectionOptions = {},
): Connection & { learned: Learned[] } {
  const learned: Learned[] = [];
  return {
    provider: { id: 'test' as ProviderId, name: 'Test', kind, baseUrl, models: [], ...options.provider },
    apiKey: options.apiKey === undefined ? testKey : options.apiKey,
    readBlob: async (hash) => {
      const bytes = options.blobs?.[hash];
      if (!bytes) throw new Error(`no blob ${hash}`);
      return bytes;
    },
    onLearned: (fact) => learned.push(fact),
    timeouts: options.timeouts,
    learned,
  };
}

export function ask(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { modelId: 'm1', system: '', messages: [{ role: 'user', parts: [{ type: 'text', text }] }], parameters: {}, ...more };
}

export const readTool: ToolDefinition = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

export type Outcome = {
  events: ProviderEvent[];
  text: string;
  reasoning: string;
  calls: ToolCallEvent[];
  last: ProviderEvent | undefined;
  failure: Failure | null;
};

export async function readAll(
  provider: Provider,
  request: ModelRequest,
  connection: Connection,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.stream(request, connection, signal)) events.push(event);
  return summarize(events);
}

export function summarize(events: ProviderEvent[]): Outcome {
  const last = events.at(-1);
  return {
    events,
    text: events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(''),
    reasoning: events.flatMap((event) => (event.type === 'reasoning' ? [event.text] : [])).join(''),
    calls: events.flatMap((event) => (event.type === 'toolCall' ? [event] : [])),
    last,
    failure: last?.type === 'failed' ? last.failure : null,
  };
}

export type ScriptedChat = (...plays: [Play, ...Play[]]) => {
  url: string;
  requests: () => Recorded[];
  nth: (n: number) => Promise<Recorded>;
};

/** Gives each script an address of its own, so that nothing learned about one server reaches the next. */
export function scriptChat(server: ScriptedServer, name: string): ScriptedChat {
  let served = 0;
  return (...plays) => {
    served += 1;
    const base = `/${name}-${served}`;
    server.script(`POST ${base}${chatPath}`, ...plays);
    return {
      url: `${server.url}${base}/v1`,
      requests: () => server.requests.filter((request) => request.path.startsWith(`${base}/`)),
      nth: (n) => server.request(`${base}${chatPath}`, n),
    };
  };
}
