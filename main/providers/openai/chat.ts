// Chat Completions, of OpenAI and of every server that speaks it.

import type { ProviderEvent } from '../../../shared/model/request';
import { type Attempt, streamWith } from '../attempts';
import { nextCallNumber } from '../callIds';
import type { Provider } from '../port';
import { ChatReader } from './chatReader';
import { chatBody, usableAdjustments } from './chatRequest';
import { makeClient } from './client';
import { listOpenAiModels } from './models';

export const chatProvider: Provider = {
  stream: (request, connection, signal) => streamWith({ usable: usableAdjustments, run }, request, connection, signal),
  listModels: listOpenAiModels,
};

async function* run({ request, connection, baseUrl, wire, signal, applied }: Attempt): AsyncGenerator<ProviderEvent> {
  const body = await chatBody(request, connection, baseUrl, applied);
  const chunks = await makeClient(connection, baseUrl, wire.fetch).chat.completions.create(body, { signal });
  yield { type: 'accepted' };
  const reader = new ChatReader(request.tools?.length ? nextCallNumber(request.messages) : null, request.modelId);
  for await (const chunk of chunks) yield* reader.read(chunk);
  signal.throwIfAborted();
  yield* reader.end(wire.ended() === 'done');
}
