// Agents: create, edit, duplicate, remove (A1).
import { Copy, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Agent, agentSchema } from '../../../shared/model/agent';
import type { ToolName } from '../../../shared/model/tool';
import { useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { idFor } from '../../state/providerDraft';
import { useSave } from '../../state/useSave';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { IconButton } from '../../ui/IconButton';
import { AgentEditor } from './AgentEditor';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Section.module.css';

/** A new agent can look around and keep track of itself; what changes anything is added by the person. */
const newTools = [
  'read_file',
  'list_files',
  'search_files',
  'view_image',
  'checkpoint',
  'rewind',
  'tasks',
] as const satisfies readonly ToolName[];

type Edited = { agent: Agent; isNew: boolean };

export function Agents() {
  const { t } = useTranslation('settings');
  const agents = useSettings()?.agents ?? [];
  const [edited, setEdited] = useState<Edited | null>(null);
  const [removing, setRemoving] = useState<Agent | null>(null);
  const { busy, failure, run } = useSave();
  const taken = agents.map((agent) => agent.id);
  const create = (from: Partial<Agent>, name: string) =>
    setEdited({ agent: agentSchema.parse({ model: null, ...from, id: idFor(name, taken, 'agent'), name }), isNew: true });
  if (edited) return <AgentEditor key={edited.agent.id} agent={edited.agent} isNew={edited.isNew} onDone={() => setEdited(null)} />;
  return (
    <Section
      title={t('section.agents')}
      text={t('agents.text')}
      act={
        <Button
          icon={<Plus aria-hidden="true" />}
          onClick={() => create({ model: agents[0]?.model ?? null, tools: [...newTools] }, t('agents.newName'))}
        >
          {t('agents.create')}
        </Button>
      }
    >
      <SaveFailure failure={failure} />
      <Group>
        {agents.length === 0 ? <EmptyState title={t('agents.none')}>{t('agents.noneText')}</EmptyState> : null}
        <ul className={agents.length > 0 ? styles.list : undefined}>
          {agents.map((agent) => (
            <li key={agent.id} className={styles.item}>
              <Avatar name={agent.name} />
              <span className={styles.itemWords}>
                <span className={styles.itemTitle} dir="auto">
                  {agent.name}
                </span>
                <span className={styles.detail}>{agent.model ?? t('agents.noModel')}</span>
              </span>
              <span>
                <IconButton
                  label={t('agents.editOf', { name: agent.name })}
                  size="small"
                  onClick={() => setEdited({ agent, isNew: false })}
                >
                  <Pencil aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={t('agents.duplicateOf', { name: agent.name })}
                  size="small"
                  onClick={() => create(agent, t('agents.copyName', { name: agent.name }))}
                >
                  <Copy aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={t('agents.removeOf', { name: agent.name })}
                  size="small"
                  disabled={agents.length < 2}
                  onClick={() => setRemoving(agent)}
                >
                  <Trash2 aria-hidden="true" />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
      </Group>
      {removing ? (
        <ConfirmDialog
          title={t('agents.removeTitle', { name: removing.name })}
          description={t('agents.removeText')}
          confirmLabel={t('agents.remove')}
          cancelLabel={t('cancel')}
          busy={busy}
          onCancel={() => setRemoving(null)}
          onConfirm={() => void run(() => client().settings.removeAgent({ agentId: removing.id })).then(() => setRemoving(null))}
        />
      ) : null}
    </Section>
  );
}
