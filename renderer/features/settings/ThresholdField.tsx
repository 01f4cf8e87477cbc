// A line that a pass begins at: a share of the window, tokens, or off (L6).
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../../ui/Segmented';
import { TextField } from '../../ui/TextField';
import { type NumberField, type NumberKey, type ThresholdUnit, thresholdParts, thresholdUnits, typedOf } from './compactionDraft';
import styles from './NumberFields.module.css';

type ThresholdProps = {
  field: NumberField;
  label: string;
  hint: ReactNode;
  typed: string;
  usual: Record<'threshold' | 'requestThreshold', number | null>;
  wrong: ReadonlySet<NumberKey>;
  set(typed: string): void;
};

export function ThresholdField({ field, label, hint, typed, usual, wrong, set }: ThresholdProps) {
  const { t } = useTranslation('contextSettings');
  const key = field.key as 'threshold' | 'requestThreshold';
  const standing = thresholdParts(typedOf(field, usual[key]));
  const parts = thresholdParts(typed);
  const unit = parts.unit ?? standing.unit ?? 'percent';
  const choose = (next: ThresholdUnit) => set(next === 'off' ? next : `${next}:${next === standing.unit ? standing.text : ''}`);
  return (
    <div className={styles.threshold}>
      <Segmented
        label={label}
        value={unit}
        onChange={choose}
        hint={unit === 'off' ? hint : undefined}
        options={thresholdUnits.map((value) => ({ value, label: t(`threshold.${value}`) }))}
      />
      {unit === 'off' ? null : (
        <TextField
          label={t(`threshold.of.${unit}`, { what: label })}
          hideLabel
          hint={hint}
          inputMode="decimal"
          value={parts.text}
          onChange={(text) => set(text === '' && unit === standing.unit ? '' : `${unit}:${text}`)}
          placeholder={unit === standing.unit ? standing.text : t(`threshold.like.${unit}`)}
          error={wrong.has(key) ? t(`wrong.${unit}Line`) : null}
        />
      )}
    </div>
  );
}
