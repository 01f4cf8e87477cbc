// The port to every model server: one request in, one stream of events out, whatever dialect is spoken behind it.
import type { BlobHash } from '../../shared/model/ids';
import type { ModelInfo, ProviderConfig } from '../../shared/model/provider';
import type { ModelRequest, ProviderEvent } from '../../shared/model/request';
import type { Draw } from './pictures/sizePicture';
import type { Timeouts } from './timeouts';

/** What an adapter found out about a server on the way; the caller may keep it so that the detour is made once. */
export type Learned =
  /** The server refuses `stream_options.include_usage`. */
  | { type: 'includeUsage'; value: false }
  /** The address that answered, where the one in the settings did not (a missing `/v1`). */
  | { type: 'baseUrl'; value: string };

/** A provider with what is needed to talk to it. The key lives here and nowhere else in this folder (Z3). */
export type Connection = {
  provider: Omit<ProviderConfig, 'apiKey'>;
  apiKey: string | null;
  /** Bytes of a blob; rejects with FailureError `blobGone` when it is missing (X4). */
  readBlob(hash: BlobHash): Promise<Uint8Array>;
  /** Draws pictures in a thread of its own (main/workers/picture.ts); without it they are drawn here. */
  drawPicture?: Draw | undefined;
  /** Called at most once a stream and fact. */
  onLearned?: ((fact: Learned) => void) | undefined;
  /** Replaces the limits of P3 (tests). */
  timeouts?: Timeouts | undefined;
};

export interface Provider {
  /**
   * Never throws: after `accepted` (the server answered well) and any deltas it ends with exactly one `done` or `failed`.
   * An abort of `signal` ends it with failure code `stopped`; leaving the loop early closes the connection.
   */
  stream(request: ModelRequest, connection: Connection, signal: AbortSignal): AsyncIterable<ProviderEvent>;
  /** The models the server offers, with what it says of them. Rejects with FailureError. */
  listModels(connection: Connection, signal: AbortSignal): Promise<ModelInfo[]>;
}
