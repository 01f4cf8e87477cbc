// What providers' refusals taught about their models: the true window, how large a body may be (L7, L14), how many images a request may hold, and that
// none are taken (S10). It is the user's, kept beside the settings with its date, for one address: a server that moved is asked anew.
import * as z from 'zod/mini';
import type { LearnedFacts, Lesson } from '../../shared/model/provider';
import type { Now } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { openKeptEntries } from './keptEntries';

/** The ones learned last are kept. */
const maxEntries = 500;
/** Below that a number is of something else. */
const leastWindow = 256;
const leastBody = 64 * 1024;

const learned = (least: number) => z.object({ value: z.int().check(z.minimum(least)), at: z.number(), listed: z.optional(z.number()) });
const entrySchema = z.object({
  model: z.string(),
  address: z.string(),
  window: z.optional(learned(leastWindow)),
  bodyLimit: z.optional(learned(leastBody)),
  maxImages: z.optional(learned(1)),
  noImages: z.optional(z.object({ at: z.number(), listed: z.optional(z.boolean()) })),
});
const fileSchema = z.object({ version: z.literal(1), limits: z.array(z.unknown()) });
type Entry = z.infer<typeof entrySchema>;

/** `listed` is what the server's own list said at that time. */
type DatedLesson = Lesson & { listed?: { window?: number | undefined; vision?: boolean | undefined } | undefined };

export type LearnedLimits = {
  readonly now: Now;
  /** `model` is `providerId/modelId`, `address` the provider's base URL as it is set. */
  of(model: string, address: string): LearnedFacts;
  /** Holds at once, for this run also when it cannot be written. The newest window counts, and the smallest body and number of images. */
  learn(model: string, address: string, lesson: DatedLesson): void;
  /** Whatever its address. Resolves when all that is known is on disk; rejects with a `FailureError` when it cannot be written. */
  forget(model: string): Promise<void>;
};

/** The file is read when it is first asked. */
export function openLearnedLimits({ file, logger, now }: { file: string; logger: Logger; now: Now }): LearnedLimits {
  const kept = openKeptEntries<Entry>({
    file,
    logger,
    what: 'learned limits',
    field: 'limits',
    most: maxEntries,
    parse: understood,
    nameOf: (entry) => nameOf(entry.model, entry.address),
  });

  return {
    now,
    of: (model, address) => kept.all().get(nameOf(model, address)) ?? {},
    learn(model, address, lesson) {
      const entries = kept.all();
      const name = nameOf(model, address);
      const known = entries.get(name);
      const news = newsOf(lesson, known, now());
      if (Object.keys(news).length === 0) return;
      const next: Entry = { ...known, model, address, ...news };
      entries.delete(name);
      entries.set(name, next);
      for (const oldest of [...entries.keys()].slice(0, Math.max(0, entries.size - maxEntries))) entries.delete(oldest);
      kept.write().catch((cause: unknown) => logger.log('warn', 'a learned limit was not written', { cause }));
    },
    async forget(model) {
      const entries = kept.all();
      const gone = [...entries].filter(([, entry]) => entry.model === model);
      for (const [name] of gone) entries.delete(name);
      await (gone.length > 0 ? kept.write() : kept.idle());
    },
  };
}

/** What was not known, or not so. */
function newsOf(
  { window, bodyLimit, maxImages, noImages, listed }: DatedLesson,
  known: LearnedFacts | undefined,
  at: number,
): LearnedFacts {
  const news: LearnedFacts = {};
  const isLess = (value: number, old: { value: number } | undefined) => value < (old?.value ?? Number.POSITIVE_INFINITY);
  if (isAtLeast(window, leastWindow)) news.window = { value: window, at, ...defined(listed?.window) };
  if (isAtLeast(bodyLimit, leastBody) && isLess(bodyLimit, known?.bodyLimit)) news.bodyLimit = { value: bodyLimit, at };
  if (isAtLeast(maxImages, 1) && isLess(maxImages, known?.maxImages)) news.maxImages = { value: maxImages, at };
  if (noImages) news.noImages = { at, ...defined(listed?.vision) };
  return news;
}

function defined<T>(listed: T | undefined): { listed?: T } {
  return listed === undefined ? {} : { listed };
}

function isAtLeast(value: number | undefined, least: number): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= least;
}

/** A model's name may hold whatever would part the two. */
function nameOf(model: string, address: string): string {
  return JSON.stringify([model, address]);
}

/** Those that are not understood are left out. */
function understood(json: unknown): Entry[] {
  return z.parse(fileSchema, json).limits.flatMap((entry) => {
    const parsed = z.safeParse(entrySchema, entry);
    return parsed.success ? [parsed.data] : [];
  });
}
