// A time that something took, as short as it can be said.
import { words } from '../../i18n';
import { formatNumber } from '../../ui/format';

const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
type Translate = (key: string, values: Record<string, string | number>) => string;

/** `t` of the talk's words. Tenths below ten seconds only where `exact` is asked for. */
export function formatDuration(milliseconds: number, t: Translate, exact = false): string {
  const seconds = milliseconds / 1000;
  if (seconds >= 60) return t('duration.minutes', { minutes: Math.floor(seconds / 60), seconds: Math.floor(seconds % 60) });
  return t('duration.seconds', { seconds: exact && seconds < 10 ? formatNumber(seconds, words.language, tenths) : Math.floor(seconds) });
}
