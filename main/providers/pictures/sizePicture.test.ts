import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlobHash } from '../../../shared/model/ids';
import { drawPicture } from '../../lib/drawPicture';
import { pictureFacts } from './pictureFacts';
import { gifOf, halves, jpegOf, noisyCanvas, plainCanvas, pngOf, turned, webpOf } from './pictureFixture';
import { type PictureLimits, pictureLimits } from './readers';
import { type Draw, fitSize, PictureSizer, type SizedPicture } from './sizePicture';

const limits: PictureLimits = {
  longestSide: 200,
  pixels: 30_000,
  bytes: 100_000,
  mimes: ['image/png', 'image/jpeg', 'image/webp'],
  count: 5,
};
const hash = 'a'.repeat(64) as BlobHash;
const size = (bytes: Uint8Array, more: Partial<PictureLimits> = {}, draw?: Draw): Promise<SizedPicture> =>
  new PictureSizer().size(hash, { ...limits, ...more }, async () => bytes, { draw });
async function sized(bytes: Uint8Array, more: Partial<PictureLimits> = {}): Promise<{ mime: string; bytes: Uint8Array }> {
  const picture = await size(bytes, more);
  if ('unreadable' in picture) throw new Error(picture.unreadable);
  return picture;
}

describe('who reads it', () => {
  it.each([
    ['claude-opus-4-8-20260101', 'openai-chat', 'https://openrouter.ai/api/v1', 2000],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'openai-chat', 'https://gateway.example/v1', 1568],
    ['anthropic/claude-opus-4-20250514', 'openai-chat', 'https://openrouter.ai/api/v1', 1568],
    ['anthropic/claude-sonnet-5', 'openai-responses', 'https://api.openai.com/v1', 2000],
    ['google/gemini-3-pro', 'openai-chat', 'https://openrouter.ai/api/v1', 3072],
    ['models/gemini-2.5-pro', 'gemini', undefined, 3072],
    ['gemma-3-27b-it', 'gemini', undefined, 3072],
    ['openai/gpt-4o:free', 'openai-chat', 'https://openrouter.ai/api/v1', 2048],
    ['my-finetune', 'openai-responses', undefined, 2048],
    ['my-finetune', 'openai-chat', 'https://api.openai.com/v1', 2048],
    ['gpt-oss:20b', 'openai-chat', 'http://127.0.0.1:11434/v1', 1568],
    ['llava:7b', 'openai-chat', 'http://127.0.0.1:11434/v1', 1568],
  ] as const)('P7: %s of %s at %s', (modelId, kind, baseUrl, longestSide) => {
    expect(pictureLimits(modelId, { kind, baseUrl }).longestSide).toBe(longestSide);
  });

  it.each([
    ['moonshotai/Kimi-K3', 'https://openrouter.ai/api/v1', 'Kimi', 90],
    ['kimi-k2.5', 'https://api.moonshot.ai/v1', 'Kimi', 90],
    ['my-finetune', 'https://api.moonshot.cn/v1', 'Kimi', 90],
    ['glm-5.3-flashx', 'https://open.bigmodel.cn/api/paas/v4', 'GLM 5.3 Flash', 50],
    ['z-ai/glm-5-3-flash', 'https://openrouter.ai/api/v1', 'GLM 5.3 Flash', 50],
    ['z-ai/glm-4.6v', 'https://openrouter.ai/api/v1', 'GLM', 5],
    ['THUDM/ChatGLM-5', 'http://127.0.0.1:11434/v1', 'GLM', 5],
    ['my-finetune', 'https://api.z.ai/api/paas/v4', 'GLM', 5],
    ['my-glm-5.3-flash', 'http://127.0.0.1:11434/v1', 'unknown', 5],
  ] as const)('P7: %s at %s is %s, and takes %i images', (modelId, baseUrl, reader, count) => {
    const limits = pictureLimits(modelId, { kind: 'openai-chat', baseUrl });
    expect(limits).toMatchObject({ reader, count });
    // The highest of the usual prices, which counts for these, knows no larger ones.
    expect(Math.ceil(limits.longestSide / 28) <= 92 && limits.pixels / 784 <= 4784).toBe(true);
  });

  it('P7: a reader nobody knows takes PNG and JPEG, and few of them', () => {
    const unknown = pictureLimits('llava:7b', { kind: 'openai-chat', baseUrl: 'http://localhost:1234/v1' });
    expect(unknown).toMatchObject({ mimes: ['image/png', 'image/jpeg'], count: 5 });
  });
});

describe('the size', () => {
  it('P7: fits, keeps its shape, and is never larger than it was', () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(
        side,
        side,
        fc.integer({ min: 8, max: 4000 }),
        fc.integer({ min: 64, max: 9_000_000 }),
        (width, height, longestSide, pixels) => {
          const fit = fitSize({ width, height }, { longestSide, pixels });
          expect(Math.max(fit.width, fit.height)).toBeLessThanOrEqual(longestSide);
          expect(fit.width <= width && fit.height <= height && fit.width >= 1 && fit.height >= 1).toBe(true);
          if (fit.width > 1 && fit.height > 1) expect(fit.width * fit.height).toBeLessThanOrEqual(pixels);
          const scale = Math.max(fit.width / width, fit.height / height);
          expect(Math.abs(fit.width - width * scale)).toBeLessThanOrEqual(Math.max(1, width / height));
          if (Math.max(width, height) <= longestSide && width * height <= pixels) expect(fit).toEqual({ width, height });
        },
      ),
    );
  });

  it('P7: what fits goes byte for byte as it is, under the type its bytes say', async () => {
    for (const [bytes, mime] of [
      [pngOf(plainCanvas(100, 50)), 'image/png'],
      [jpegOf(plainCanvas(100, 50)), 'image/jpeg'],
      [webpOf(plainCanvas(100, 50)), 'image/webp'],
    ] as const) {
      expect(await sized(bytes)).toEqual({ mime, bytes });
    }
  });

  it('P7: a large screenshot stays PNG, a photo becomes JPEG', async () => {
    const shot = await sized(pngOf(plainCanvas(1000, 500)));
    expect(shot.mime).toBe('image/png');
    expect(await halves(shot.bytes)).toMatchObject({ width: 200, height: 100, left: '#ff0000', right: '#0000ff' });
    const photo = await sized(pngOf(noisyCanvas(1000, 500)));
    expect(photo.mime).toBe('image/jpeg');
    expect(await halves(photo.bytes)).toMatchObject({ width: 200, height: 100 });
    expect((await sized(jpegOf(plainCanvas(1000, 500)))).mime).toBe('image/jpeg');
  });

  it('P7: the bytes fit too, by quality first and then by size', async () => {
    const { bytes } = await sized(jpegOf(noisyCanvas(200, 150), 100), { bytes: 3000 });
    expect(bytes.length).toBeLessThanOrEqual(3000);
    const { width, height } = await halves(bytes);
    expect(width).toBeLessThan(200);
    expect(Math.abs(width / height - 200 / 150)).toBeLessThan(0.1);
    expect(await size(jpegOf(noisyCanvas(50, 50)), { bytes: 10 })).toEqual({ unreadable: 'it is damaged' });
  });

  it('P7: a photo that was taken upright stays upright', async () => {
    const facts = pictureFacts(turned(jpegOf(plainCanvas(400, 200))));
    expect(facts).toMatchObject({ width: 200, height: 400 });
    const { bytes } = await sized(turned(jpegOf(plainCanvas(400, 200))));
    expect(await halves(bytes)).toMatchObject({ width: 100, height: 200, top: '#ff0000' });
  });

  it('P7: what is transparent is white where a reader takes no PNG', async () => {
    const { bytes, mime } = await sized(pngOf(createCanvas(400, 400)), { mimes: ['image/jpeg'] });
    expect([mime, (await halves(bytes)).left]).toEqual(['image/jpeg', '#ffffff']);
  });
});

describe('what readers do not take', () => {
  it('P7: of an animation the first frame is left', async () => {
    const { bytes, mime } = await sized(gifOf(100, 50));
    expect(mime).toBe('image/png');
    expect(await halves(bytes)).toMatchObject({ width: 100, height: 50, left: '#ff0000', right: '#0000ff' });
  });

  it('P7: a format that the reader does not know becomes one that it knows', async () => {
    const { bytes, mime } = await sized(webpOf(plainCanvas(100, 50)), { mimes: ['image/png', 'image/jpeg'] });
    expect(mime).toBe('image/jpeg');
    expect(await halves(bytes)).toMatchObject({ width: 100, height: 50 });
  });

  it('P7, X4: what is no picture, or a broken one, is said; one that ends early is drawn as far as it goes', async () => {
    const png = pngOf(noisyCanvas(100, 100));
    const scrambled = png.map((byte, at) => (at > 45 && at < png.length - 16 ? (at * 37) % 256 : byte));
    expect(await size(new Uint8Array())).toEqual({ unreadable: 'it is no PNG, JPEG, GIF or WebP' });
    expect(await size(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toHaveProperty('unreadable');
    expect(await size(scrambled)).toEqual({ unreadable: 'it is damaged' });
    const cut = jpegOf(noisyCanvas(100, 100)).subarray(0, 4000);
    const whole = await sized(cut);
    expect(pictureFacts(cut)?.whole).toBe(false);
    expect(pictureFacts(whole.bytes)).toMatchObject({ whole: true, width: 100, height: 100 });
  });

  it('P7: without a drawing library a picture that fits goes, and one that does not is said', async () => {
    const broken: Draw = () => Promise.reject(new Error('Cannot find native binding'));
    const small = pngOf(plainCanvas(10, 10));
    expect(await size(small, {}, broken)).toEqual({ mime: 'image/png', bytes: small });
    expect(await size(gifOf(10, 10), {}, broken)).toEqual({ unreadable: 'it could not be made smaller' });
  });
});

describe('once is enough', () => {
  it('P7, L10: the same picture gives the same bytes, from the cache or anew', async () => {
    const large = pngOf(noisyCanvas(500, 500));
    let reads = 0;
    let drawn = 0;
    const sizer = new PictureSizer();
    const read = async () => {
      reads += 1;
      return large;
    };
    const draw: Draw = (job) => {
      drawn += 1;
      return drawPicture(job);
    };
    const [one, two] = await Promise.all([sizer.size(hash, limits, read, { draw }), sizer.size(hash, limits, read, { draw })]);
    expect(drawn).toBe(1);
    const before = reads;
    expect(await sizer.size(hash, limits, read, { draw })).toEqual(one);
    expect([reads, drawn]).toEqual([before, 1]);
    expect(two).toEqual(one);
    expect(await size(large)).toEqual(one);
    await sizer.size(hash, { ...limits, longestSide: 100 }, read, { draw });
    expect(drawn).toBe(2);
  });

  it('S11: a page that is taken as it is is not decoded once more; one that is too large, and one cut short, are drawn as any picture', async () => {
    let drawn = 0;
    const draw: Draw = (job) => {
      drawn += 1;
      return drawPicture(job);
    };
    const page = (bytes: Uint8Array) => new PictureSizer().size(hash, limits, async () => bytes, { draw, page: true });
    const small = pngOf(plainCanvas(100, 100));
    expect(await page(small)).toEqual({ mime: 'image/png', bytes: small });
    expect(drawn).toBe(0);
    expect(await page(pngOf(noisyCanvas(500, 500)))).toEqual(await size(pngOf(noisyCanvas(500, 500))));
    await page(small.subarray(0, small.length - 20));
    expect(drawn).toBe(2);
  });

  it('P7: the cache is bounded', async () => {
    const sizer = new PictureSizer();
    let drawn = 0;
    const draw: Draw = async () => {
      drawn += 1;
      return { bytes: new Uint8Array(1024 * 1024), mime: 'image/png', width: 1, height: 1 };
    };
    const png = pngOf(plainCanvas(4, 4));
    const nth = (n: number) => sizer.size(`${n}`.padStart(64, '0') as BlobHash, limits, async () => png, { draw });
    for (let n = 0; n < 70; n++) await nth(n);
    expect(drawn).toBe(70);
    await nth(69);
    expect(drawn).toBe(70);
    await nth(0);
    expect(drawn).toBe(71);
  });
});
