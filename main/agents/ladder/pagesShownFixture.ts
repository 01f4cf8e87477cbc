// What the pictures of a request show, priced and read as its server would, for long and rough runs of tests and bench.
import type { BlobHash } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { ImageSize } from '../../context/imageFormulas';
import { type ImageReader, imageTokensFor } from '../../context/imagePrice';
import { hashOf } from '../../transcript/blobs';
import type { TurnFixture } from '../agentsFixture';

/** Of a data URL, up to a place in it. */
export const bytesOfPicture = (url: string, to?: number): Buffer => Buffer.from(url.slice(url.indexOf(',') + 1, to), 'base64');

/** Of PNGs as data URLs, by their first bytes. */
export function priceOfPictures(urls: readonly string[], reader: ImageReader): number {
  return urls.reduce((sum, url) => sum + imageTokensFor(reader, sizeOfPicture(url)), 0);
}

function sizeOfPicture(url: string): ImageSize {
  const head = bytesOfPicture(url, url.indexOf(',') + 33);
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

/** The text that belongs to each picture: one that is no page of these records shows nothing. */
export async function textOnPages(blobs: TurnFixture['blobs'], urls: readonly string[], records: Iterable<MemoryRecord>): Promise<string> {
  const known = new Map([...records].flatMap(({ body }) => body?.pages.map(({ hash, textHash }) => [hash as string, textHash]) ?? []));
  const texts = urls.map(async (url) => {
    const textHash = known.get(hashOf(bytesOfPicture(url)));
    return textHash === undefined ? '' : new TextDecoder().decode(await blobs.read(textHash as BlobHash));
  });
  return (await Promise.all(texts)).join('');
}

/** Of pages and their texts in the blob store, where the same page is kept once. */
export function bytesOfPages(records: readonly MemoryRecord[]): number {
  const pages = new Map(
    records.flatMap(({ body }) => body?.pages.map((page) => [page.hash, (page.size ?? 0) + (page.characters ?? 0)]) ?? []),
  );
  return [...pages.values()].reduce((sum, bytes) => sum + bytes, 0);
}
