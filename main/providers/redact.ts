// Z3: cuts keys out of everything a provider or a library says before it can reach a failure, a log or the window.
import type { Connection } from './port';

/** Keys by their shape, for those we were not given: other people's, masked echoes of ours, headers printed by a proxy. */
const shapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|nvapi|pplx)[-_][\w*.…-]{5,}[\w*…-]/gi,
  /\b(?:hf|r8|fw|csk|key|tok)[-_][\w*…-]{20,}/gi,
  /\bAIza[\w*.…-]{10,}/g,
  /\bya29\.[\w.-]+/g,
  /\b(Bearer|Basic)\s+[\w.~+/=*…-]{6,}/gi,
  /((?:api[-_]?key|x-goog-api-key|access_token|authorization|[?&]key)["']?\s*[=:]\s*["']?)[^\s"'&,}]{4,}/gi,
];

export type Redact = (text: string) => string;

export function makeRedactor(secrets: readonly (string | null | undefined)[]): Redact {
  const known = [...new Set(secrets.flatMap((secret) => (secret && secret.length >= 4 ? forms(secret) : [])))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.split(secret).join('[key]');
    for (const shape of shapes)
      clean = clean.replace(shape, (_match, prefix: unknown) => (typeof prefix === 'string' ? `${prefix.trimEnd()} [key]` : '[key]'));
    return clean;
  };
}

/** The key, and header values of the provider that can hold one. */
export function redactorOf(connection: Pick<Connection, 'apiKey' | 'provider'>): Redact {
  const headers = Object.entries(connection.provider.headers ?? {}).flatMap(([name, value]) =>
    /auth|key|token|secret|cookie/i.test(name) ? [value, value.replace(/^\w+\s+/, '')] : [],
  );
  return makeRedactor([connection.apiKey, connection.apiKey?.trim(), ...headers]);
}

function forms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURIComponent(secret), escaped, Buffer.from(secret).toString('base64')];
}
