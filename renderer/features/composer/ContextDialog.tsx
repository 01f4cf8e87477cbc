// `/context`: what fills the context, block by block, and what each rung would save (K2, L17). The Memory tab has it message by message.
import { useTranslation } from 'react-i18next';
import type { MemoryView, PlanBlock } from '../../../shared/model/memoryView';
import { closeContext, useContextDialog } from '../../state/compactionSlice';
import { setAreaOpen, setPanelTab } from '../../state/layoutSlice';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { FailureText } from '../../ui/FailureText';
import { formatNumber } from '../../ui/format';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Compaction.module.css';
import { RungTable } from './RungTable';

export function ContextDialog() {
  const { t } = useTranslation('compaction');
  const shown = useContextDialog();
  if (!shown) return null;
  const { view, rungs, failure } = shown;
  const toMemory = () => {
    closeContext();
    setPanelTab('memory');
    setAreaOpen('panel', true);
  };
  return (
    <Dialog
      title={t('context')}
      description={view ? t('contextOf', { agent: view.agentName }) : undefined}
      closeLabel={t('close')}
      onClose={closeContext}
    >
      {failure ? <FailureText failure={failure} /> : null}
      {view && rungs ? (
        <>
          <Fill view={view} />
          <PlanTable view={view} />
          <section className={styles.group} aria-label={t('savings')}>
            <h3>{t('savings')}</h3>
            <p className={styles.text}>{t('rungWhat')}</p>
            <RungTable rungs={rungs} />
          </section>
          <Lines lines={view.lines} />
          {/* The one control of the body: the dialog scrolls by keyboard through it. */}
          <div className={styles.acts}>
            <Button onClick={toMemory}>{t('showInMemory')}</Button>
          </div>
        </>
      ) : null}
      {view || failure ? null : <Skeleton label={t('reading')} />}
    </Dialog>
  );
}

function useNumbers() {
  const { t, i18n } = useTranslation('compaction');
  const number = (value: number) => formatNumber(value, i18n.language);
  return { number, percent: (share: number) => t('percent', { number: number(Math.round(share * 1000) / 10) }) };
}

function Fill({ view: { tokens, window } }: { view: MemoryView }) {
  const { t } = useTranslation('compaction');
  const { number, percent } = useNumbers();
  const values = { tokens: number(tokens) };
  return (
    <p className={styles.fill}>
      {window === null ? t('fillUnknown', values) : t('fill', { ...values, window: number(window), percent: percent(tokens / window) })}
    </p>
  );
}

type Row = { name: PlanBlock['name']; tokens: number; count: number };
/** Blocks of one kind in one row, in the order they are sent. */
function rowsOf(plan: readonly PlanBlock[]): Row[] {
  const rows = new Map<PlanBlock['name'], Row>();
  for (const { name, tokens } of plan) {
    const row = rows.get(name) ?? { name, tokens: 0, count: 0 };
    rows.set(name, { name, tokens: row.tokens + tokens, count: row.count + 1 });
  }
  return [...rows.values()];
}

function PlanTable({ view: { plan, window, memory } }: { view: MemoryView }) {
  const { t } = useTranslation('compaction');
  const { number, percent } = useNumbers();
  const rows = rowsOf(plan);
  const spare = window === null ? null : window - rows.reduce((sum, { tokens }) => sum + tokens, 0);
  const share = (tokens: number) => (window === null ? '–' : percent(tokens / window));
  const nameOf = ({ name, count }: Row) => {
    if (name === 'message') return t('messages', { count, number: number(count) });
    if (name === 'pin') return t('pins', { count, number: number(count) });
    const pages = memory?.body.pages.length ?? 0;
    return name === 'memory' && pages > 0 ? t('pages:inMemory', { count: pages }) : t(`block.${name}`);
  };
  return (
    <section className={styles.group} aria-label={t('plan')}>
      <h3>{t('plan')}</h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('part')}</th>
            <th scope="col" className={styles.number}>
              {t('tokens')}
            </th>
            <th scope="col" className={styles.number}>
              {t('share')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{nameOf(row)}</th>
              <td className={styles.number}>{number(row.tokens)}</td>
              <td className={styles.number}>{share(row.tokens)}</td>
            </tr>
          ))}
          {spare === null ? null : (
            <tr className={styles.faint}>
              <th scope="row">{t('spare')}</th>
              <td className={styles.number}>{number(Math.max(0, spare))}</td>
              <td className={styles.number}>{share(Math.max(0, spare))}</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Lines({ lines }: { lines: MemoryView['lines'] }) {
  const { t } = useTranslation('compaction');
  const { number } = useNumbers();
  return (
    <section className={styles.group} aria-label={t('lines')}>
      <h3>{t('lines')}</h3>
      <dl className={styles.lines}>
        {(['threshold', 'requestThreshold'] as const).map((line) => (
          <div key={line}>
            <dt>{t(`line.${line}`)}</dt>
            <dd>{lines[line] === null ? t('off') : t('lineTokens', { tokens: number(lines[line]) })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
