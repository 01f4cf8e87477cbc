// What only the whole of a request and its answer gives away: a prompt that was cut or filled the window (P4), pictures that were refused (P7).
import { type Failure, FailureError } from '../../shared/model/failure';
import type { ModelRequest, ProviderEvent } from '../../shared/model/request';
import { isLocalUrl } from './baseUrl';
import { catalogEntry } from './catalog';
import { type Heard, settleEnd, settleRefusal, signOf, tokensAtLeast } from './fullPrompt';
import { picturesIn } from './pictures/leaveOut';
import { AcceptedPictures } from './pictures/refused';
import type { Connection } from './port';

const accepted = new AcceptedPictures();

/** Adds signs to counts, and ends the stream as what its end means. A refusal of pictures names those that may be to blame. */
export async function* watchAnswer(
  request: ModelRequest,
  connection: Connection,
  events: AsyncGenerator<ProviderEvent>,
): AsyncGenerator<ProviderEvent> {
  const read = readerOf(request, connection);
  const heard: Heard = { anything: false, usage: null };
  const pictures = picturesIn(request.messages);
  try {
    for await (const event of events) {
      if (event.type === 'done') accepted.keep(read.key, pictures);
      yield judged(event, heard, request, read);
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const failure = settleRefusal(error.failure, request, read.window);
    const images = failure.code === 'imageRefused' ? { images: accepted.suspects(read.key, pictures) } : {};
    yield { type: 'failed', failure, ...images };
  }
}

type Read = { key: string; window: number | undefined; isLocalChat: boolean; estimated: number };

function readerOf(request: ModelRequest, { provider }: Connection): Read {
  const isLocal = provider.baseUrl !== undefined && isLocalUrl(provider.baseUrl);
  const isLocalChat = isLocal && provider.kind === 'openai-chat';
  const stated = request.contextWindow ?? provider.models.find(({ id }) => id === request.modelId)?.contextWindow;
  return {
    key: `${provider.kind} ${provider.baseUrl} ${request.modelId}`,
    // What a model could do elsewhere says nothing about what a local server loaded.
    window: stated ?? (isLocal ? undefined : catalogEntry(request.modelId)?.contextWindow),
    isLocalChat,
    estimated: isLocalChat ? tokensAtLeast(request) : 0,
  };
}

function judged(event: ProviderEvent, heard: Heard, request: ModelRequest, { window, isLocalChat, estimated }: Read): ProviderEvent {
  switch (event.type) {
    case 'accepted':
      return event;
    case 'usage': {
      heard.usage = event.usage;
      const sign = signOf(event.usage, estimated, { window, isLocalChat });
      return sign === undefined ? event : { ...event, sign };
    }
    case 'done':
    case 'failed':
      return settleEnd(event, heard, { maxOutput: request.parameters.maxOutput, window });
    default:
      heard.anything = true;
      return event;
  }
}

/** Without a picture in the request the server's words are about something else. */
export function withPictures(request: ModelRequest, failure: Failure): Failure {
  if (failure.code !== 'imageRefused' && failure.code !== 'visionRefused') return failure;
  if (picturesIn(request.messages).length > 0) return failure;
  return { ...failure, code: 'badRequest', message: 'The provider did not take the request.', retryable: false };
}
