// One picture decoded, and drawn anew where its reader wants it smaller or in another format. Runs in a thread of its own where there is
// one: drawing a large photo holds a thread up for a quarter of a second. Import this file only when a picture is there: the drawing library
// (13 MB, 35 ms) comes with it. The library itself must not be imported at run time: in a packed app only `require` finds it.
import { type Canvas, createCanvas, type Image, loadImage } from '@napi-rs/canvas';
import { FailureError, makeFailure } from '../../shared/model/failure';

export type PictureFormat = 'image/png' | 'image/jpeg';
export type PictureJob = {
  bytes: Uint8Array;
  /** null: only see whether it can be decoded. Pixels, as shown (upright). */
  draw: { width: number; height: number; maxBytes: number; formats: readonly PictureFormat[]; lossless: boolean } | null;
};
export type DrawnPicture = { bytes: Uint8Array; mime: PictureFormat; width: number; height: number };

const qualities = [85, 70, 50];
/** Each time a picture is still too many bytes its sides shrink by this. */
const shrink = 0.75;
/** A PNG of more bytes a pixel is a photo: as JPEG it is a tenth of that and looks the same. */
const fewColours = 0.75;
/** Pictures with more pixels take gigabytes to decode. */
const maxPixels = 120_000_000;

/** Null when nothing had to be drawn. Rejects with FailureError `imageUnreadable` for what cannot be decoded. */
export async function drawPicture({ bytes, draw }: PictureJob): Promise<DrawnPicture | null> {
  const image = await decode(bytes);
  if (draw === null) return null;
  let { width, height } = draw;
  for (;;) {
    const drawn = await encode(createCanvas(width, height), image, { ...draw, width, height });
    if (drawn) return drawn;
    if (width === 1 && height === 1) throw unreadable('It cannot be made small enough.');
    width = Math.max(1, Math.floor(width * shrink));
    height = Math.max(1, Math.floor(height * shrink));
  }
}

async function decode(bytes: Uint8Array): Promise<Image> {
  let image: Image;
  try {
    image = await loadImage(bytes);
    if (image.width * image.height <= maxPixels) await image.decode();
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
  if (image.width < 1 || image.height < 1) throw unreadable('It has no size.');
  if (image.width * image.height > maxPixels) throw unreadable('It has too many pixels.');
  return image;
}

/** Null when no format brings it under its bytes at this size. */
async function encode(canvas: Canvas, image: Image, draw: NonNullable<PictureJob['draw']>): Promise<DrawnPicture | null> {
  const { width, height, maxBytes, formats, lossless } = draw;
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  if (formats.includes('image/png') && (lossless || !formats.includes('image/jpeg'))) {
    const png = await canvas.encode('png');
    const small = png.length <= width * height * fewColours + 10_000 || !formats.includes('image/jpeg');
    if (small && png.length <= maxBytes) return { bytes: png, mime: 'image/png', width, height };
  }
  if (!formats.includes('image/jpeg')) return null;
  // JPEG knows no transparency: what is not painted would come out black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  for (const quality of qualities) {
    const jpeg = await canvas.encode('jpeg', quality);
    if (jpeg.length <= maxBytes) return { bytes: jpeg, mime: 'image/jpeg', width, height };
  }
  return null;
}

function unreadable(why: string): FailureError {
  return new FailureError(makeFailure('imageUnreadable', `The picture cannot be read: ${why}`));
}
