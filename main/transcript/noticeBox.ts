// Keeps what is to be said of transcripts until somebody listens.
import type { TranscriptNotice } from './liveFile';

/** Of a file that stays as it is: it is met again at each opening, and each time there is the same to say. */
const lasting: readonly TranscriptNotice['kind'][] = ['skipped', 'unusable', 'long'];

/** Notices wait for the first listener; what lasts is said once (X10). */
export function noticeBox(): { notify(notice: TranscriptNotice): void; listen(next: (notice: TranscriptNotice) => void): void } {
  let listener: ((notice: TranscriptNotice) => void) | undefined;
  const waiting: TranscriptNotice[] = [];
  const said = new Set<string>();
  return {
    notify(notice) {
      const name = `${notice.kind} ${notice.path}`;
      if (lasting.includes(notice.kind) && said.has(name)) return;
      said.add(name);
      if (listener) listener(notice);
      else waiting.push(notice);
    },
    listen(next) {
      listener = next;
      for (const notice of waiting.splice(0)) next(notice);
    },
  };
}
