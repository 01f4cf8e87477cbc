// Base URLs as people type or paste them, made into the one an adapter can use, or refused with the reason.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ProviderKind } from '../../shared/model/provider';

const defaults: Record<ProviderKind, string> = {
  'openai-chat': 'https://api.openai.com/v1',
  'openai-responses': 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com',
  demo: 'demo:',
};

const openaiTail = /\/(chat\/completions|completions|responses|models|embeddings)$/i;
const geminiTail = /\/(v1|v1beta|v1alpha)(\/models(\/[^/]*)?)?$|\/models(\/[^/]*)?$/i;

/** Throws FailureError `badUrl`. The result has no trailing slash, query, fragment or endpoint name at its end. */
export function normalizeBaseUrl(kind: ProviderKind, typed: string | undefined): string {
  const text = (typed ?? '').trim();
  if (kind === 'demo' || text === '') return defaults[kind];
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${isLocalHost(hostOf(text)) ? 'http' : 'https'}://${text}`;
  const url = parseUrl(withScheme);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new FailureError(
      makeFailure('badUrl', 'The base URL is not a web address. It looks like https://host/v1.', { detail: { url: withoutSecrets(text) } }),
    );
  }
  if (url.username || url.password) {
    throw new FailureError(
      makeFailure('badUrl', 'The base URL holds a user name or password. Use the key field or a header instead.', {
        detail: { url: withoutSecrets(text) },
      }),
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  const tail = kind === 'gemini' ? geminiTail : openaiTail;
  return `${url.origin}${path.replace(tail, '').replace(/\/+$/, '')}`;
}

/** The address to try when `baseUrl` answers 404: the same with `/v1`, or null when it names a version already. */
export function withVersion(baseUrl: string): string | null {
  return /\/v\d+[a-z]*(\/|$)/i.test(new URL(baseUrl).pathname) ? null : `${baseUrl}/v1`;
}

/** Loopback, link-local and private addresses, and names that only resolve at home. */
export function isLocalUrl(baseUrl: string): boolean {
  const url = parseUrl(baseUrl);
  return url !== null && isLocalHost(url.hostname);
}

/** A URL fit to be shown: without user, password, query and fragment. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\/\/[^/@\s]*@/, '//')
    .replace(/[?#].*$/s, '')
    .slice(0, 500);
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function hostOf(text: string): string {
  return text.replace(/[/?#].*$/s, '').replace(/:\d+$/, '');
}

function isLocalHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (name === 'localhost' || name === '::1' || /\.(localhost|local|lan|internal|home\.arpa)$/.test(name)) return true;
  if (/^(fe80|f[cd][\da-f]{2}):/.test(name)) return true;
  const octets = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(name);
  if (!octets) return name !== '' && !name.includes('.') && !name.includes(':');
  const [a, b] = [Number(octets[1]), Number(octets[2])];
  return (
    a === 127 ||
    a === 10 ||
    a === 0 ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127)
  );
}
