// For tests: real pictures of every kind, made with the library that draws them.
import { type Canvas, createCanvas, GifEncoder, loadImage } from '@napi-rs/canvas';

/** Few colours, as a screenshot has; the left half is red, the right half blue. */
export function plainCanvas(width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ff0000';
  context.fillRect(0, 0, width / 2, height);
  context.fillStyle = '#0000ff';
  context.fillRect(width / 2, 0, width / 2, height);
  return canvas;
}

/** Every pixel another colour, as a photo's are; the same each time. */
export function noisyCanvas(width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  let state = 1;
  for (let at = 0; at < image.data.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    image.data[at] = at % 4 === 3 ? 255 : state >>> 24;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

export const pngOf = (canvas: Canvas): Uint8Array => canvas.encodeSync('png');
export const jpegOf = (canvas: Canvas, quality = 90): Uint8Array => canvas.encodeSync('jpeg', quality);
export const webpOf = (canvas: Canvas): Uint8Array => canvas.encodeSync('webp', 90);

/** Two frames: what `plainCanvas` draws, then black. */
export function gifOf(width: number, height: number): Uint8Array {
  const encoder = new GifEncoder(width, height);
  const frame = (canvas: Canvas) => new Uint8Array(canvas.getContext('2d').getImageData(0, 0, width, height).data);
  encoder.addFrame(frame(plainCanvas(width, height)), width, height, { delay: 100 });
  const black = createCanvas(width, height);
  black.getContext('2d').fillRect(0, 0, width, height);
  encoder.addFrame(frame(black), width, height, { delay: 100 });
  return encoder.finish();
}

/** A JPEG that is shown turned by a quarter to the right. */
export function turned(jpeg: Uint8Array): Uint8Array {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** The colour in the middle of each half, as `#rrggbb`. */
export async function halves(bytes: Uint8Array): Promise<{ width: number; height: number; left: string; right: string; top: string }> {
  const image = await loadImage(bytes);
  const { width, height } = image;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const at = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0] = context.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data;
    // Three bits a colour: lossy formats miss by a little.
    return `#${[red, green, blue].map((one) => (Math.round(one / 51) * 51).toString(16).padStart(2, '0')).join('')}`;
  };
  return { width, height, left: at(0.25, 0.5), right: at(0.75, 0.5), top: at(0.5, 0.25) };
}
