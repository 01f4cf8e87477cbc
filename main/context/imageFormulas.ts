// How providers turn the size of an image into tokens: the arithmetic alone, in pixels and tokens. Pure.
import * as z from 'zod/mini';

/** In pixels, both at least 1. */
export type ImageSize = { width: number; height: number };
/** How closely the image is read where the request may say so; `auto` is what is sent unless anything is said. */
export type ImageDetail = 'auto' | 'low' | 'medium' | 'high' | 'original' | 'ultraHigh';

const positive = z.number().check(z.positive());
const few = z.optional(z.number().check(z.minimum(0)));
export const formulaSchema = z.discriminatedUnion('type', [
  /** Cells of 28 pixels; an image is made smaller until both limits hold. */
  z.object({ type: z.literal('cells'), longestSide: positive, most: positive, overhead: few, factor: z.optional(positive) }),
  /** Tiles of 512 pixels after the short side was brought down to 768. */
  z.object({ type: z.literal('tiles'), base: positive, tile: positive }),
  /** Patches of 32 pixels, times a factor. `mostHigh`: of detail `high`. */
  z.object({ type: z.literal('patches'), most: positive, mostHigh: z.optional(positive), factor: positive, overhead: few }),
  /** Tiles whose side follows the shorter side of the image. */
  z.object({ type: z.literal('units'), token: positive, low: positive, medium: positive }),
  /** One price whatever the size. */
  z.object({ type: z.literal('flat'), low: positive, medium: positive, high: positive, ultraHigh: positive }),
]);
export type Formula = z.infer<typeof formulaSchema>;
type Of<T extends Formula['type']> = Extract<Formula, { type: T }>;

export function tokensBy(formula: Formula, size: ImageSize, detail: ImageDetail): number {
  switch (formula.type) {
    case 'cells':
      return cells(formula, size);
    case 'tiles':
      return detail === 'low' ? formula.base : formula.base + formula.tile * tiles(size);
    case 'patches':
      return patches(formula, size, detail);
    case 'units':
      return units(formula, size, detail);
    case 'flat':
      return detail === 'auto' || detail === 'original' ? formula.high : formula[detail];
  }
}

function cells({ longestSide, most, overhead = 0, factor = 1 }: Of<'cells'>, { width, height }: ImageSize): number {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  for (let side = Math.min(long, longestSide); side > 0; side--) {
    const count = Math.ceil(side / 28) * Math.ceil(Math.max(1, Math.round((short / long) * side)) / 28);
    if (count <= most) return Math.ceil((count + overhead) * factor);
  }
  return Math.ceil((most + overhead) * factor);
}

function tiles({ width, height }: ImageSize): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return across(width * scale, 512) * across(height * scale, 512);
}

/** Over the limit an image is scaled down to it, then once more so that both sides are whole patches. */
function patches(
  { most, mostHigh = most, factor, overhead = 0 }: Of<'patches'>,
  { width, height }: ImageSize,
  detail: ImageDetail,
): number {
  const limit = detail === 'high' ? mostHigh : most;
  let count = across(width, 32) * across(height, 32);
  if (count > limit) {
    const scale = Math.sqrt((limit * 32 * 32) / (width * height));
    const [wide, high] = [(width * scale) / 32, (height * scale) / 32];
    const whole = Math.min(Math.max(1, Math.floor(wide)) / wide, Math.max(1, Math.floor(high)) / high);
    count = Math.min(limit, across(wide * whole, 1) * across(high * whole, 1));
  }
  return Math.ceil(count * factor - 1e-6) + overhead;
}

function units({ token, low, medium }: Of<'units'>, { width, height }: ImageSize, detail: ImageDetail): number {
  if (detail === 'low') return low;
  if (detail === 'medium') return medium;
  if (width <= 384 && height <= 384) return token;
  const unit = Math.max(256, Math.floor(Math.min(width, height) / 1.5));
  return Math.ceil(width / unit) * Math.ceil(height / unit) * token;
}

/** Rounded up, but for what arithmetic adds behind the comma. */
function across(length: number, part: number): number {
  return Math.max(1, Math.ceil(length / part - 1e-6));
}
