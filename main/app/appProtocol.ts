// Serves the window from `app://bough/`: the built page with its CSP, and images and texts from the open workspaces' blob stores.
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol, type Session } from 'electron';

export const appOrigin = 'app://bough';

/** No remote source of anything; inline styles are needed by the virtual list and KaTeX (Z1). */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mimeTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
};
/** What a blob may be shown as; never HTML or SVG, which could run script in the window's origin. */
const blobTypes: Record<string, string> = {
  ...Object.fromEntries(['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((one) => [`image/${one}`, `image/${one}`])),
  'text/plain': 'text/plain; charset=utf-8',
};

/** Bytes of a blob by its hash from any open workspace; null when none has it. */
export type ReadBlob = (hash: string) => Promise<Uint8Array | null>;

/** Call before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ]);
}

/** What a request gets: `body` empty for what is not there. */
type Served = { statusCode: number; headers: Record<string, string>; data: Buffer };
const absent: Served = { statusCode: 404, headers: {}, data: Buffer.alloc(0) };

/**
 * As buffers: `protocol.handle` answers with a Response, whose first use costs Electron 25 some 35 ms of the main thread while the window
 * waits for its page (docs/benchmarks.md).
 */
export function serveApp(session: Session, folder: string, readBlob: ReadBlob): void {
  session.protocol.registerBufferProtocol('app', (request, respond) => {
    void serve(folder, request, readBlob).then(respond);
  });
}

async function serve(folder: string, request: { url: string; method: string }, readBlob: ReadBlob): Promise<Served> {
  const url = new URL(request.url);
  if (url.host !== 'bough' || request.method !== 'GET') return absent;
  const blob = /^\/blob\/([0-9a-f]{64})$/.exec(url.pathname)?.[1];
  return blob ? serveBlob(blob, url.searchParams.get('mime') ?? '', readBlob) : serveFile(folder, url.pathname);
}

async function serveFile(folder: string, pathname: string): Promise<Served> {
  try {
    const path = normalize(join(folder, decodeURIComponent(pathname === '/' ? '/index.html' : pathname)));
    if (!path.startsWith(folder + sep)) return absent;
    const headers = {
      'content-type': mimeTypes[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
    };
    return { statusCode: 200, headers, data: await readFile(path) };
  } catch {
    // Whatever keeps a file from being read, for the page it is not there.
    return absent;
  }
}

async function serveBlob(hash: string, mime: string, readBlob: ReadBlob): Promise<Served> {
  const type = Object.hasOwn(blobTypes, mime) ? blobTypes[mime] : undefined;
  const bytes = type ? await readBlob(hash) : null;
  if (!type || !bytes) return absent;
  return {
    statusCode: 200,
    headers: { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'private, max-age=31536000, immutable' },
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}
