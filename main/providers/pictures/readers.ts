// P7: what a picture must be for whoever reads it. Told by the model's id first (a Claude behind a gateway is a Claude), then by who serves it.
// Where the numbers come from: the longest side and the pixels are what a provider passes on unscaled, so nothing is lost by making it so here;
// the high-resolution Claude takes 2576, but only 2000 in requests with many pictures, and what was sent must not change later (L10).
// Bytes are below each documented limit (Anthropic counts its 5 MiB in base64); counts as measured (compaction research 1.7, 3), or documented: Kimi
// as many as a body of 100 MB holds (platform.kimi.com/docs/guide/use-kimi-vision-model; what hosts it elsewhere names 96), 16,384 patches of 14 pixels
// unscaled; GLM 5 MB and 6000 × 6000 pixels each, 50 in a request of 5.3 Flash and five of GLM-4V (docs.bigmodel.cn, chat completion). Whatever else
// a gateway takes is learned from its refusal (P7).
import * as z from 'zod/mini';
import readers from '../../../assets/catalog/pictures.json';
import { type ProviderConfig, providerKinds } from '../../../shared/model/provider';
import { plainId } from '../../lib/plainId';

export type PictureLimits = {
  longestSide: number;
  /** Width by height. */
  pixels: number;
  /** Of one picture, before base64. */
  bytes: number;
  /** Formats that the reader takes as they are: of an animation it is never more than the first frame. */
  mimes: readonly string[];
  /** Pictures in one request. */
  count: number;
};

const positive = z.int().check(z.minimum(1));
const readerShape = z.object({
  reader: z.string(),
  models: z.optional(z.string()),
  kinds: z.optional(z.array(z.enum(providerKinds))),
  hosts: z.optional(z.array(z.string())),
  longestSide: positive,
  pixels: positive,
  bytes: positive,
  mimes: z.array(z.string()),
  count: positive,
});
type Reader = z.infer<typeof readerShape>;

let known: Reader[] | null = null;

export function pictureLimits(modelId: string, provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): PictureLimits {
  known ??= z.array(readerShape).parse(readers);
  const id = plainId(modelId);
  const host = hostOf(provider.baseUrl);
  const isHost = (name: string) => host === name || host.endsWith(`.${name}`);
  const found =
    known.find(({ models }) => models !== undefined && new RegExp(models).test(id)) ??
    known.find(({ kinds, hosts }) => kinds?.includes(provider.kind) || hosts?.some(isHost)) ??
    known.at(-1);
  if (!found) throw new Error('the catalogue names no reader of pictures');
  return found;
}

function hostOf(baseUrl: string | undefined): string {
  try {
    return baseUrl === undefined ? '' : new URL(baseUrl).hostname;
  } catch (error) {
    // An address that is none is said elsewhere.
    if (error instanceof TypeError) return '';
    throw error;
  }
}
