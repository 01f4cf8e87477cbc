// What providers' refusals taught about their models: the true window, and how large a body may be (L7, L14). It is the user's, kept beside
// the settings with its date, for one address: a server that moved is asked anew.
import { readFileSync, renameSync } from 'node:fs';
import * as z from 'zod/mini';
import type { LearnedNumbers } from '../../shared/model/provider';
import { writeAtomic } from '../lib/atomicFile';
import type { Now } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { createSequential } from '../lib/sequential';
import { systemCode, throwFileFailure } from '../lib/systemError';

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
});
const fileSchema = z.object({ version: z.literal(1), limits: z.array(z.unknown()) });
type Entry = z.infer<typeof entrySchema>;

/** `window` in tokens, `bodyLimit` in bytes; `listed` is the window that the server's own list named at that time. */
export type Lesson = { window?: number | undefined; bodyLimit?: number | undefined; listed?: number | undefined };

export type LearnedLimits = {
  readonly now: Now;
  /** `model` is `providerId/modelId`, `address` the provider's base URL as it is set. */
  of(model: string, address: string): LearnedNumbers;
  /** Holds at once, for this run also when it cannot be written. The newest window counts, and the smallest body. */
  learn(model: string, address: string, lesson: Lesson): void;
  /** Whatever its address. Resolves when all that is known is on disk; rejects with a `FailureError` when it cannot be written. */
  forget(model: string): Promise<void>;
};

/** The file is read when it is first asked. */
export function openLearnedLimits(options: { file: string; logger: Logger; now: Now }): LearnedLimits {
  const { file, logger, now } = options;
  const inOrder = createSequential();
  let loaded: Loaded | undefined;
  const load = () => {
    loaded ??= readLimits(options);
    return loaded;
  };
  const write = () =>
    inOrder.run(async () => {
      const { entries, writable } = load();
      if (!writable) return;
      const limits = [...entries.values()];
      try {
        await writeAtomic(file, `${JSON.stringify({ version: 1, limits }, null, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        throwFileFailure(error, file);
      }
    });

  return {
    now,
    of: (model, address) => load().entries.get(nameOf(model, address)) ?? {},
    learn(model, address, { window, bodyLimit, listed }) {
      const { entries } = load();
      const name = nameOf(model, address);
      const old = entries.get(name);
      const next: Entry = { model, address, window: old?.window, bodyLimit: old?.bodyLimit };
      const at = now();
      if (isAtLeast(window, leastWindow)) next.window = { value: window, at, ...(listed === undefined ? {} : { listed }) };
      if (isAtLeast(bodyLimit, leastBody) && bodyLimit < (old?.bodyLimit?.value ?? Number.POSITIVE_INFINITY))
        next.bodyLimit = { value: bodyLimit, at };
      if (next.window === old?.window && next.bodyLimit === old?.bodyLimit) return;
      entries.delete(name);
      entries.set(name, next);
      for (const oldest of [...entries.keys()].slice(0, Math.max(0, entries.size - maxEntries))) entries.delete(oldest);
      write().catch((cause: unknown) => logger.log('warn', 'a learned limit was not written', { cause }));
    },
    async forget(model) {
      const { entries } = load();
      const gone = [...entries].filter(([, entry]) => entry.model === model);
      for (const [name] of gone) entries.delete(name);
      await (gone.length > 0 ? write() : inOrder.run(async () => undefined));
    },
  };
}

function isAtLeast(value: number | undefined, least: number): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= least;
}

/** A model's name may hold whatever would part the two. */
function nameOf(model: string, address: string): string {
  return JSON.stringify([model, address]);
}

type Loaded = { entries: Map<string, Entry>; writable: boolean };

/** Entries that are not understood are left out. A broken file is kept aside; one that cannot be read, or of another version, is left alone. */
function readLimits({ file, logger }: { file: string; logger: Logger }): Loaded {
  const empty = (writable: boolean): Loaded => ({ entries: new Map(), writable });
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof json === 'object' && json !== null && 'version' in json && typeof json.version === 'number' && json.version !== 1) {
      logger.log('warn', 'learned limits are of another version', { file });
      return empty(false);
    }
    const known = z.parse(fileSchema, json).limits.flatMap((entry) => {
      const parsed = z.safeParse(entrySchema, entry);
      return parsed.success ? [parsed.data] : [];
    });
    return { entries: new Map(known.slice(-maxEntries).map((entry) => [nameOf(entry.model, entry.address), entry])), writable: true };
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return empty(true);
    logger.log('warn', 'learned limits cannot be read', { cause });
    return empty(systemCode(cause) === undefined && keptAside(file, logger));
  }
}

function keptAside(file: string, logger: Logger): boolean {
  try {
    renameSync(file, `${file}.broken`);
    return true;
  } catch (cause) {
    logger.log('warn', 'broken learned limits cannot be kept aside', { cause });
    return false;
  }
}
