// What the agent remembers on this branch: its memory, what would be sent next, and every pass (M7, L17).
import { BrainCircuit } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentId } from '../../../shared/model/ids';
import type { MemoryView } from '../../../shared/model/memoryView';
import { useSettings, useWorkspace } from '../../state/appSlice';
import { chooseMemoryOf, loadMemory, showMemory, useMemory } from '../../state/memorySlice';
import { useNextAgent } from '../../state/nextAgent';
import { useAgentNames, useCheckpoints, useConversationId, useLoadedPath, usePins, useTipId } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import { Select } from '../../ui/Select';
import { Skeleton } from '../../ui/Skeleton';
import { Card } from './Card';
import styles from './Memory.module.css';
import { MemoryBeside } from './MemoryBeside';
import { Passes } from './Passes';
import { PauseNote, RunningNote } from './PauseNote';
import { Plan } from './Plan';

export function Memory() {
  const { t } = useTranslation('memory');
  useFreshMemory();
  return (
    <section aria-label={t('region')} className={styles.region}>
      <AgentChoice />
      <Content />
    </section>
  );
}

/** Read when it is seen, and again whenever the path, its marks or the answering agent changed. */
function useFreshMemory(): void {
  const conversationId = useConversationId();
  const tipId = useTipId();
  const { agent } = useNextAgent();
  const checkpoints = useCheckpoints();
  const pins = usePins();
  const settings = useSettings();
  useEffect(showMemory, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when the answer may have changed
  useEffect(() => void loadMemory(), [conversationId, tipId, agent?.id, checkpoints, pins, settings]);
}

/** Agents that spoke here, and the one that answers next. */
function AgentChoice() {
  const { t } = useTranslation('memory');
  const { chosen } = useMemory();
  const { agent } = useNextAgent();
  const names = useAgentNames();
  const settings = useSettings();
  const ids = new Set([...(agent ? [agent.id] : []), ...(Object.keys(names) as AgentId[])]);
  if (ids.size < 2) return null;
  const nameOf = (id: AgentId) => settings?.agents.find((known) => known.id === id)?.name ?? names[id] ?? id;
  return (
    <div className={styles.agent}>
      <Select
        label={t('agent')}
        value={chosen ?? agent?.id ?? ('' as AgentId)}
        options={[...ids].map((id) => ({ value: id, label: nameOf(id) }))}
        onChange={chooseMemoryOf}
      />
    </div>
  );
}

function Content() {
  const { t } = useTranslation('memory');
  const conversationId = useConversationId();
  const { length } = useLoadedPath();
  const { view, failure } = useMemory();
  if (failure) {
    return (
      <ErrorState title={t('failed')} actions={<Button onClick={() => void loadMemory()}>{t('retry')}</Button>}>
        <FailureText failure={failure} />
      </ErrorState>
    );
  }
  if (!conversationId || length === 0) {
    return (
      <EmptyState icon={<BrainCircuit aria-hidden="true" />} title={t('emptyTitle')}>
        {t('none')}
      </EmptyState>
    );
  }
  if (!view || view.conversationId !== conversationId) return <Skeleton label={t('loading')} />;
  return <Remembered view={view} />;
}

function Remembered({ view }: { view: MemoryView }) {
  const { t } = useTranslation('memory');
  const readOnly = useWorkspace()?.status === 'readOnly';
  return (
    <>
      {readOnly ? <p className={styles.readOnly}>{t('readOnly')}</p> : null}
      <RunningNote place={view} />
      <PauseNote view={view} />
      {view.unread > 0 ? <p className={styles.note}>{t('unread', { count: view.unread })}</p> : null}
      {view.unsuited > 0 ? <p className={styles.note}>{t('pages:unsuited')}</p> : null}
      {view.memory ? (
        <Card key={view.memory.recordId} view={view} memory={view.memory} />
      ) : (
        <EmptyState icon={<BrainCircuit aria-hidden="true" />} title={t('emptyTitle')}>
          {t('empty', { agent: view.agentName })}
        </EmptyState>
      )}
      <MemoryBeside view={view} />
      <Plan view={view} />
      <Passes view={view} />
    </>
  );
}
