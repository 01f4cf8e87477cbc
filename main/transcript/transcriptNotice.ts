// What the user is told of a transcript that was met damaged, or that cannot be sealed (X5, X10).
import { assertNever } from '../../shared/model/assertNever';
import type { Notice } from '../../shared/model/events';
import type { TranscriptNotice } from './liveFile';

export function noticeOf({ kind, count, why }: TranscriptNotice): Notice {
  switch (kind) {
    case 'repaired':
      return { code: 'transcriptRepaired', values: { count }, tone: 'warning' };
    case 'setAside':
      return { code: 'transcriptSetAside', tone: 'warning' };
    case 'skipped':
      return { code: 'transcriptSkipped', values: { count }, tone: 'warning' };
    case 'unusable':
    case 'lacking':
      return { code: 'transcriptUnusable', tone: 'warning' };
    case 'textLost':
      return { code: 'contentLost', values: { count }, tone: 'warning' };
    case 'long':
      return { code: 'transcriptLong', values: { size: count, why: why ?? '' }, tone: 'warning' };
    default:
      return assertNever(kind);
  }
}
