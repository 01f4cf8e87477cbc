// The OpenAI client for any base URL: every option stated, so that nothing of the user's environment leaks into a request.
import { OpenAI } from 'openai';
import type { Connection } from '../port';
import { sendableKey } from '../sendableKey';

/** setTimeout's longest delay: how long to wait is decided in timeouts.ts, not here. */
const never = 2 ** 31 - 1;

export function makeClient(connection: Connection, baseURL: string, fetchThrough: typeof fetch): OpenAI {
  const apiKey = sendableKey(connection);
  return withoutCustomHeaders(
    () =>
      new OpenAI({
        apiKey: apiKey ?? 'none',
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        baseURL,
        maxRetries: 0,
        timeout: never,
        logLevel: 'off',
        fetch: fetchThrough,
        defaultHeaders: { ...(apiKey === null ? { Authorization: null } : {}), ...connection.provider.headers },
      }),
  );
}

/** The one variable that no option switches off; it is read once, by the constructor. */
function withoutCustomHeaders<T>(make: () => T): T {
  const name = 'OPENAI_CUSTOM_HEADERS';
  const value = process.env[name];
  if (value === undefined) return make();
  delete process.env[name];
  try {
    return make();
  } finally {
    process.env[name] = value;
  }
}
