// The numbers of the ladder, each with its unit, what it does, what holds where it is empty, and what is in force here (L6, L21).
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompactionNumbers, CompactionSettings } from '../../../shared/model/compaction';
import { sentenceGap } from '../../ui/format';
import { IconButton } from '../../ui/IconButton';
import { Segmented } from '../../ui/Segmented';
import { TextField } from '../../ui/TextField';
import { isModeKey, modes, type NumberDraft, type NumberField, type NumberKey, numberGroups } from './compactionDraft';
import styles from './NumberFields.module.css';
import { Group } from './Section';
import { ThresholdField } from './ThresholdField';
import { type InForce, useNumberWords } from './useNumberWords';

type NumbersProps = {
  draft: NumberDraft;
  onChange(draft: NumberDraft): void;
  wrong: ReadonlySet<NumberKey>;
  /** What holds where nothing is typed. */
  usual: CompactionNumbers;
  from: 'default' | 'settings';
  /** What is typed, as settings. */
  own: CompactionSettings;
  /** For the present agent's model; null where its window is not known. */
  force: InForce | null;
  /** What the open workspace says over the user's. */
  workspace?: CompactionSettings | undefined;
};

export function NumberFields(props: NumbersProps) {
  const { t } = useTranslation('contextSettings');
  return numberGroups.map(({ name, fields }) => (
    <Group key={name} title={t(`group.${name}`)}>
      <div className={styles.fields}>
        {fields.map((field) => (
          <OneField key={field.key} field={field} {...props} />
        ))}
      </div>
    </Group>
  ));
}

type OneFieldProps = NumbersProps & { field: NumberField };

function OneField(props: OneFieldProps) {
  const { field, draft, onChange } = props;
  const { t } = useTranslation('contextSettings');
  const label = t(`label.${field.key}`);
  const set = (typed: string) => {
    const { [field.key]: _, ...others } = draft;
    onChange(typed === '' ? others : { ...others, [field.key]: typed });
  };
  return (
    <div className={styles.field}>
      <Control {...props} label={label} set={set} />
      {draft[field.key] === undefined ? null : (
        <IconButton
          size="small"
          className={styles.reset}
          label={t('resetOf', { what: label })}
          tooltip={t('reset')}
          onClick={() => set('')}
        >
          <RotateCcw aria-hidden="true" />
        </IconButton>
      )}
    </div>
  );
}

function Control(props: OneFieldProps & { label: string; set(typed: string): void }) {
  const { field, draft, label, set, usual, wrong } = props;
  const { t } = useTranslation('contextSettings');
  const words = useNumberWords();
  const hint = <Hint {...props} />;
  const typed = draft[field.key] ?? '';
  if (field.kind === 'threshold') return <ThresholdField {...props} hint={hint} typed={typed} />;
  if (isModeKey(field.key)) {
    return (
      <Segmented
        label={label}
        hint={hint}
        value={typed === '' ? usual[field.key] : typed}
        onChange={set}
        options={modes[field.key].map((value) => ({ value, label: t(`mode.${value}`) }))}
      />
    );
  }
  const unit = words.unitOf(field.kind);
  const range = field.key === 'workerTokens' || field.key === 'maxRequestBytes' ? field.key : field.kind;
  return (
    <TextField
      label={unit === '' ? label : t('withUnit', { label, unit })}
      hint={hint}
      inputMode="decimal"
      value={typed}
      onChange={set}
      placeholder={words.plain(field, usual[field.key])}
      error={wrong.has(field.key) ? t(`wrong.${range}`) : null}
    />
  );
}

/** One sentence, then what else holds: the workspace's word and the cap of L21. */
function Hint({ field, usual, from, own, force, workspace }: OneFieldProps): ReactNode {
  const { t, i18n } = useTranslation('contextSettings');
  const words = useNumberWords();
  const { key } = field;
  const said = workspace?.[key];
  const mine = own[key] === undefined ? usual[key] : own[key];
  const inForce = force ? words.inForce(field, force) : null;
  return (
    <>
      <span className={styles.line}>
        {t(`hint.${key}`)}
        {sentenceGap(i18n.language)}
        {t(`usually.${from}`, { value: words.value(field, usual[key]) })}
      </span>
      {mine === null ? <span className={styles.noted}>{t('stillRecovers')}</span> : null}
      {said === undefined || said === mine ? null : (
        <span className={styles.noted}>{t('workspaceSays', { value: words.value(field, said) })}</span>
      )}
      {inForce === null ? null : <span className={styles.noted}>{inForce}</span>}
    </>
  );
}
