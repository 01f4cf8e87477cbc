// Which tools an agent has, and when it asks before one acts (A2, A4).
import { useTranslation } from 'react-i18next';
import type { Agent } from '../../../shared/model/agent';
import { toolNames } from '../../../shared/model/tool';
import { useModels } from '../../state/appSlice';
import { Checkbox } from '../../ui/Checkbox';
import checkStyles from '../../ui/Checkbox.module.css';
import { formatList } from '../../ui/format';
import { RadioList } from '../../ui/RadioList';
import { Group } from './Section';
import styles from './Section.module.css';

/** By what they can do, from the harmless on. */
const toolGroups = [
  { id: 'read', tools: ['read_file', 'list_files', 'search_files', 'view_image'] },
  { id: 'change', tools: ['write_file', 'edit_file'] },
  { id: 'outside', tools: ['run_command', 'fetch_url'] },
  { id: 'session', tools: ['checkpoint', 'rewind', 'recall', 'tasks'] },
] as const;
const offered: readonly string[] = toolNames;
const modes = ['ask', 'auto-edit', 'read-only'] as const;

type AgentToolsProps = Pick<Agent, 'model' | 'tools' | 'approval'> & { onChange(change: Partial<Pick<Agent, 'tools' | 'approval'>>): void };

export function AgentTools({ model, tools, approval, onChange }: AgentToolsProps) {
  const { t, i18n } = useTranslation('settings');
  const takesNone = useModels()?.find((candidate) => candidate.ref === model)?.tools === false;
  /** Kept as they are: a settings file may name tools of another version. */
  const others = tools.filter((name) => !offered.includes(name));
  const toggle = (name: string, has: boolean) =>
    onChange({ tools: [...offered.filter((each) => (each === name ? has : tools.includes(each))), ...others] });
  return (
    <>
      <Group title={t('tools.title')}>
        <p className={styles.detail}>{t('tools.text')}</p>
        {takesNone ? (
          <div className={styles.note} role="status">
            <p>{t('tools.notTaken')}</p>
          </div>
        ) : null}
        {toolGroups.map((group) => (
          <fieldset key={group.id} className={checkStyles.group}>
            <legend className={checkStyles.legend}>{t(`tools.groups.${group.id}`)}</legend>
            {group.tools.map((name) => (
              <Checkbox
                key={name}
                label={<code className={styles.code}>{name}</code>}
                hint={t(`tools.what.${name}`)}
                checked={tools.includes(name)}
                onChange={(has) => toggle(name, has)}
              />
            ))}
          </fieldset>
        ))}
        {others.length > 0 ? <p className={styles.detail}>{t('tools.others', { names: formatList(others, i18n.language) })}</p> : null}
      </Group>
      <Group title={t('tools.approvals')}>
        <RadioList
          label={t('tools.approval')}
          value={approval}
          onChange={(mode) => onChange({ approval: mode })}
          options={modes.map((value) => ({ value, label: t(`tools.modes.${value}.label`), hint: t(`tools.modes.${value}.hint`) }))}
        />
      </Group>
    </>
  );
}
