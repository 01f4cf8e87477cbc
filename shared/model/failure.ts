// Every expected failure: a code the program branches on, a sentence for a person, whether trying again can help, and the facts behind it.

export const failureCodes = [
  // providers
  'noKey',
  'badKey',
  'forbidden',
  'quota',
  'noModel',
  'unknownModel',
  'providerUnknown',
  'badUrl',
  'unreachable',
  'timeout',
  'connectionLost',
  'rateLimited',
  'serverError',
  'badRequest',
  'badResponse',
  'emptyAnswer',
  'refused',
  'overflowTokens',
  'overflowBytes',
  'imageRefused',
  'visionRefused',
  'toolsRefused',
  // agents and turns
  'agentUnknown',
  'turnRunning',
  'nothingToRetry',
  'stopped',
  'crashed',
  'agentLoop',
  'nothingLoaded',
  'labelUnknown',
  'labelUsed',
  // workspace
  'workspaceLocked',
  'workspaceReadOnly',
  'workspaceGone',
  'diskFull',
  'databaseNewer',
  'databaseCorrupt',
  'databaseBusy',
  'backupInvalid',
  'transcriptNewer',
  // store
  'notFound',
  'conflict',
  'wouldCloseRing',
  'invalidInput',
  'settingsInvalid',
  'blobGone',
  // attachments
  'fileTooLarge',
  'fileUnsupported',
  'fileEmpty',
  'imageUnreadable',
  'pdfUnreadable',
  'fileGone',
  'tooManyFiles',
  // keys
  'keychainUnavailable',
  // a bug
  'internal',
] as const;
export type FailureCode = (typeof failureCodes)[number];

export type FailureDetail = {
  /** HTTP status of the provider's answer. */
  status?: number | undefined;
  /** What the provider said, with keys cut out; shown as it stands, at most 4,000 characters. */
  providerText?: string | undefined;
  /** Milliseconds the provider asked to wait. */
  retryAfterMs?: number | undefined;
  /** A window in tokens read from an overflow text. */
  contextWindow?: number | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  url?: string | undefined;
  path?: string | undefined;
  /** Bytes, tokens or a count, with the limit that it passed. */
  size?: number | undefined;
  limit?: number | undefined;
  /** The process that holds a lock. */
  pid?: number | undefined;
  /** What a request that is too large is made of (L14). */
  parts?: { name: string; tokens: number; bytes: number }[] | undefined;
  /** The request was never sent. */
  unsent?: boolean | undefined;
};

export type Failure = { code: FailureCode; message: string; retryable: boolean; detail?: FailureDetail | undefined };

/** Thrown by code that cannot return a value (transactions, procedures); the gate maps it once to an answer of the contract. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(failure.message, options);
    this.name = 'FailureError';
    this.failure = failure;
  }
}

export function makeFailure(code: FailureCode, message: string, more: { retryable?: boolean; detail?: FailureDetail } = {}): Failure {
  return { code, message, retryable: more.retryable ?? false, ...(more.detail ? { detail: more.detail } : {}) };
}
