// PNG of one bit a pixel and two colours, written and read back. Not a reader for any PNG: only for those that are written here. Pure.
import { deflateSync, inflateSync } from 'node:zlib';
import { type Bitmap, strideOf } from './raster';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const header = { size: 13, depth: 1, palette: 3 };
/** White, and the black of the ink. */
const colours = Buffer.from([0xff, 0xff, 0xff, 0, 0, 0]);

export function encodePng({ width, height, rows }: Bitmap): Uint8Array {
  const head = Buffer.alloc(header.size);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = header.depth;
  head[9] = header.palette;
  const parts = [
    signature,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  // Bytes of its own, never of the pool that small buffers share: a thread hands them over without a copy.
  const png = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    png.set(part, at);
    at += part.length;
  }
  return png;
}

function chunk(type: string, data: Buffer): Buffer {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, 'latin1');
  data.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
}

/** null where the bytes are not one of ours, or damaged. */
export function decodePng(png: Uint8Array): Bitmap | null {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const chunks = chunksOf(bytes);
  const head = chunks?.get('IHDR');
  const packed = chunks?.get('IDAT');
  if (!head || !packed || !chunks?.has('IEND') || head.length !== header.size) return null;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  if (head[8] !== header.depth || head[9] !== header.palette || head.readUIntBE(10, 3) !== 0) return null;
  if (!chunks.get('PLTE')?.equals(colours)) return null;
  const stride = strideOf(width);
  const rows = inflated(packed, stride * height);
  if (!rows) return null;
  for (let at = 0; at < rows.length; at += stride) if (rows[at] !== 0) return null;
  return { width, height, rows };
}

function inflated(packed: Buffer, length: number): Uint8Array | null {
  try {
    const rows = inflateSync(packed, { maxOutputLength: Math.max(1, length) });
    return rows.length === length ? rows : null;
  } catch {
    // Whatever is wrong with it, it is not what was written.
    return null;
  }
}

function chunksOf(bytes: Buffer): Map<string, Buffer> | null {
  if (!bytes.subarray(0, 8).equals(signature)) return null;
  const found = new Map<string, Buffer>();
  let at = 8;
  while (at + 12 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    if (at + 12 + size > bytes.length) return null;
    if (crc32(bytes.subarray(at + 4, at + 8 + size)) !== bytes.readUInt32BE(at + 8 + size)) return null;
    found.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + size));
    at += 12 + size;
  }
  return at === bytes.length ? found : null;
}

const table = new Int32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Node has it only from 20.15 on. */
function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (crc ^ -1) >>> 0;
}
