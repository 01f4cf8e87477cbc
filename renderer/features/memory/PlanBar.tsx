// The next request as a bar along the window, with both lines marked on it; and the lines in words.
import { useTranslation } from 'react-i18next';
import type { MemoryView, PlanBlockName } from '../../../shared/model/memoryView';
import { formatNumber } from '../../ui/format';
import styles from './Memory.module.css';
import planStyles from './Plan.module.css';

const kinds = ['system', 'tools', 'memory', 'message', 'reserve'] as const;
const kindOf = (name: PlanBlockName) => kinds.find((kind) => kind === name) ?? 'message';

export function PlanBar({ view: { plan, window, lines, tokens } }: { view: MemoryView }) {
  const { t, i18n } = useTranslation('memory');
  const sums = kinds.map((kind) => ({
    kind,
    tokens: plan.reduce((sum, block) => (kindOf(block.name) === kind ? sum + block.tokens : sum), 0),
  }));
  const reserve = sums.find(({ kind }) => kind === 'reserve')?.tokens ?? 0;
  const whole = Math.max(window ?? 0, tokens + reserve, 1);
  const share = (value: number) => `${Math.min(100, (100 * value) / whole)}%`;
  const words = (line: 'threshold' | 'requestThreshold') => {
    const at = lines[line];
    return at === null ? t(`lineOff.${line}`) : t(`line.${line}`, { tokens: formatNumber(at, i18n.language) });
  };
  return (
    <>
      <div className={planStyles.whole} aria-hidden="true">
        <div className={planStyles.stack}>
          {sums.map((one) => (one.tokens > 0 ? <i key={one.kind} data-block={one.kind} style={{ width: share(one.tokens) }} /> : null))}
        </div>
        {([lines.threshold, lines.requestThreshold] as const).map((at, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines, always in this order
          at === null ? null : <b key={index} className={planStyles.tick} style={{ insetInlineStart: share(at) }} />,
        )}
      </div>
      {window === null ? null : <p className={styles.small}>{`${words('threshold')} · ${words('requestThreshold')}`}</p>}
    </>
  );
}
