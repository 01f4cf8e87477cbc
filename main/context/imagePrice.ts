// What an image costs a reader in tokens (P2, S3). A reader is told by the model's id first, whatever gateway it is behind, then by who
// serves it; one that is not known has the highest of the usual prices. Facts: image billing. Pure.
import * as z from 'zod/mini';
import prices from '../../assets/catalog/imagePrices.json';
import { type ModelInfo, type ProviderKind, providerKinds } from '../../shared/model/provider';
import { plainId } from '../lib/plainId';
import { formulaSchema, type ImageDetail, type ImageSize, tokensBy } from './imageFormulas';

/** The same function for every model of one rule, so that what was counted by it can be kept by it. Without a size: the most it can be. */
export type ImagePrice = (size: KnownSize, detail?: ImageDetail) => number;
type KnownSize = { [side in keyof ImageSize]?: number | undefined };
/** `imageRule`: the rule as it was found before, when who serves it was known. */
export type ImageReader = {
  modelId: string;
  kind?: ProviderKind | undefined;
  baseUrl?: string | undefined;
  imageRule?: string | undefined;
};

const ruleSchema = z.object({
  rule: z.string(),
  models: z.optional(z.string()),
  kinds: z.optional(z.array(z.enum(providerKinds))),
  hosts: z.optional(z.array(z.string())),
  formula: formulaSchema,
  /** The most that is sent to it, as the catalogue of pictures has it: larger ones are made smaller first (P7). Where the formula would mind. */
  sent: z.optional(z.object({ longestSide: z.int(), pixels: z.int() })),
});
type Rule = Omit<z.infer<typeof ruleSchema>, 'models'> & { models: RegExp | undefined; price: ImagePrice };

let known: Rule[] | null = null;

function rules(): Rule[] {
  known ??= z
    .array(ruleSchema)
    .parse(prices)
    .map(({ models, ...rule }) => ({
      ...rule,
      models: models === undefined ? undefined : new RegExp(models),
      price: priceBy(rule),
    }));
  return known;
}

/** Shapes that cost the most somewhere; none is larger than images are sent. */
const shapes: readonly ImageSize[] = [
  { width: 2048, height: 2048 },
  { width: 768, height: 2048 },
  { width: 2048, height: 1152 },
  { width: 1568, height: 784 },
];

function priceBy({ formula, sent }: Pick<Rule, 'formula' | 'sent'>): ImagePrice {
  const most = Math.max(...shapes.map((shape) => tokensBy(formula, shape, 'auto')));
  return ({ width, height }, detail = 'auto') =>
    isLength(width) && isLength(height) ? tokensBy(formula, asSent({ width, height }, sent), detail) : most;
}

function asSent({ width, height }: ImageSize, sent: Rule['sent']): ImageSize {
  if (!sent) return { width, height };
  const scale = Math.min(1, sent.longestSide / Math.max(width, height), Math.sqrt(sent.pixels / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function isLength(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 1;
}

function ruleFor({ modelId, kind, baseUrl }: ImageReader): Rule {
  const id = plainId(modelId);
  const host = hostOf(baseUrl);
  const isHost = (name: string) => host === name || host.endsWith(`.${name}`);
  const all = rules();
  const found =
    all.find(({ models }) => models?.test(id)) ??
    all.find(
      ({ kinds, hosts }) => (kind !== undefined && kinds?.includes(kind) && (host === '' || kind === 'gemini')) || hosts?.some(isHost),
    ) ??
    all.at(-1);
  if (!found) throw new Error('the catalogue names no price of images');
  return found;
}

/** The name of the rule that a model is priced by. */
export function imageRuleOf(reader: ImageReader): string {
  return reader.imageRule ?? ruleFor(reader).rule;
}

/** The prices of a model as it was found; a rule that is not known, and none, cost what an unknown reader does. */
export function imagePriceOf({ imageRule }: Pick<ModelInfo, 'imageRule'>): ImagePrice {
  const all = rules();
  const found = all.find(({ rule }) => rule === imageRule) ?? all.at(-1);
  if (!found) throw new Error('the catalogue names no price of images');
  return found.price;
}

export function imageTokensFor(reader: ImageReader, size: KnownSize, detail?: ImageDetail): number {
  return ruleFor(reader).price(size, detail);
}

function hostOf(baseUrl: string | undefined): string {
  return /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#]*)/i.exec(baseUrl ?? '')?.[1]?.toLowerCase() ?? '';
}
