// The end of the program has a time: a process that stays on would hold its folders, and the next start would only look for its window.
import type { Logger } from '../lib/logger';

/** Milliseconds: what is stored at an end takes far less, and what is cut off is as whole as after a crash. */
const longest = 10_000;

export type EndPart = { name: string; end(): Promise<unknown> };

/** Ends one after the other; a failure keeps none of the others. Comes back when all have ended or the time is up, which the log says. */
export async function endInTime(parts: readonly EndPart[], logger: Logger, within = longest): Promise<void> {
  let waitsFor = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      logger.log('error', 'the program did not end in time', { waitsFor });
      resolve();
    }, within);
  });
  const all = async () => {
    for (const { name, end } of parts) {
      waitsFor = name;
      await end().catch((cause: unknown) => logger.log('error', 'an end failed', { name, cause }));
    }
  };
  await Promise.race([all(), late]);
  clearTimeout(timer);
}
