// One GET without following redirects, of an address that was resolved before: a name that leads elsewhere by now is not asked again.
import dns from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { systemCode } from '../../../lib/systemError';
import { ToolError } from './definition';

export type Address = { address: string; family: number };
export type WebAnswer = { status: number; location: string | undefined; type: string; bytes: Buffer; cut: boolean };

/** The host's name without its port and brackets. */
export function plainName(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** All addresses of the URL's host. Throws `ToolError` when it has none. */
export async function resolveHost(url: URL): Promise<Address[]> {
  const name = plainName(url);
  const family = isIP(name);
  if (family !== 0) return [{ address: name, family }];
  try {
    return await dns.lookup(name, { all: true, verbatim: true });
  } catch (error) {
    throw new ToolError(`The host ${url.hostname} was not found.`, { cause: error });
  }
}

/** Reads at most `maxBytes` of the unpacked body. Throws `ToolError` for a connection that fails, the signal's reason when it aborts. */
export function getOnce(url: URL, addresses: readonly Address[], options: { maxBytes: number; signal: AbortSignal }): Promise<WebAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const sent = send(url, {
      method: 'GET',
      // A connection of its own: a kept one might be to another address.
      agent: false,
      signal: options.signal,
      headers: {
        accept: 'text/html, text/plain, application/json, */*;q=0.5',
        'accept-encoding': 'gzip, br, deflate',
        'user-agent': 'Bough',
      },
      lookup: (_name, wanted, done) => {
        const first = addresses[0];
        if (first === undefined) done(new Error('no address'), '', 0);
        else if (wanted.all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
    });
    const fail = (error: unknown) => reject(options.signal.aborted ? options.signal.reason : wordsFor(error, url));
    sent.on('error', fail);
    sent.on('response', (answer) => {
      readBody(answer, options.maxBytes).then((body) => resolve({ ...headOf(answer), ...body }), fail);
    });
    sent.end();
  });
}

function headOf(answer: IncomingMessage): Pick<WebAnswer, 'status' | 'location' | 'type'> {
  return { status: answer.statusCode ?? 0, location: answer.headers.location, type: answer.headers['content-type'] ?? '' };
}

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(answer)) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxBytes) {
      answer.destroy();
      return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), cut: true };
    }
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}

function unpacked(answer: IncomingMessage): Readable {
  const make = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }[
    (answer.headers['content-encoding'] ?? '').toLowerCase()
  ];
  if (make === undefined) return answer;
  const unpacker = make();
  // pipe() does not carry failures over.
  answer.on('error', (error) => unpacker.destroy(error));
  unpacker.on('close', () => answer.destroy());
  return answer.pipe(unpacker);
}

function wordsFor(error: unknown, url: URL): unknown {
  if (!(error instanceof Error)) return error;
  return new ToolError(`${url.host} could not be read: ${systemCode(error) ?? error.message}`, { cause: error });
}
