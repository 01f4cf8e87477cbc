// Where a key is typed: what is stored now, where a new one will be kept, and, without a keychain, the question how (W3).
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeySource } from '../../../shared/model/provider';
import { Button } from '../Button';
import { TextField } from '../TextField';
import styles from './KeyField.module.css';

export type KeyStorage = 'keychain' | 'plain' | 'session';
type KeyFieldProps = {
  value: string;
  onChange(value: string): void;
  /** What is stored now, and the variable's name where it is read from the environment. */
  source: KeySource;
  variable?: string | undefined;
  cleared: boolean;
  onClear(cleared: boolean): void;
  /** Whether the system keychain works; null while it is not known. */
  keychain: boolean | null;
  /** A variable that may hold such a key, as the hint names it. */
  exampleVariable: string;
  /** The name inside a typed `${NAME}`. */
  typedVariable: string | null;
  /** The key is a secret and there is no keychain. */
  asksStorage: boolean;
  storage: KeyStorage | null;
  onStorage(storage: KeyStorage): void;
  storageMissing: boolean;
  /** A button beside the field. */
  action?: ReactNode;
  /** Where a key is made, opened in the browser. */
  onKeyPage?: (() => void) | undefined;
};

export function KeyField({
  value,
  onChange,
  source,
  variable,
  cleared,
  onClear,
  keychain,
  exampleVariable,
  typedVariable,
  onKeyPage,
  action,
  ...ask
}: KeyFieldProps) {
  const { t } = useTranslation('ui');
  const stored = source !== 'none' && !cleared;
  const fate = () => {
    if (typedVariable) return t('key.fateVariable', { name: typedVariable });
    if (value.trim() === '')
      return stored ? t(`key.stored.${source}`, { name: variable ?? '' }) : t('key.variableHint', { example: `\${${exampleVariable}}` });
    if (keychain === true) return t('key.fateKeychain');
    return keychain === null ? t('key.checking') : '';
  };
  return (
    <div className={styles.key}>
      <div className={styles.row}>
        <TextField
          label={t('key.label')}
          type="password"
          code
          value={value}
          onChange={onChange}
          placeholder={stored ? t('key.keep') : ''}
          hint={
            <span className={styles.hint}>
              <span aria-live="polite">{fate()}</span>
              {stored && value === '' ? (
                <Button look="plain" size="small" onClick={() => onClear(true)}>
                  {t('key.forget')}
                </Button>
              ) : null}
              {cleared ? (
                <Button look="plain" size="small" onClick={() => onClear(false)}>
                  {t('key.keepAfterAll')}
                </Button>
              ) : null}
              {!stored && value === '' && onKeyPage ? (
                <Button look="plain" size="small" icon={<ExternalLink aria-hidden="true" />} onClick={onKeyPage}>
                  {t('key.page')}
                </Button>
              ) : null}
            </span>
          }
        />
        {action}
      </div>
      {ask.asksStorage ? <StorageQuestion {...ask} /> : null}
    </div>
  );
}

function StorageQuestion({ storage, onStorage, storageMissing }: Pick<KeyFieldProps, 'storage' | 'onStorage' | 'storageMissing'>) {
  const { t } = useTranslation('ui');
  const choices = ['session', 'plain'] as const;
  return (
    <fieldset className={styles.question} aria-invalid={storageMissing || undefined}>
      <legend>{t('key.question')}</legend>
      {choices.map((choice) => (
        <label key={choice} className={styles.choice}>
          <input type="radio" name="key-storage" checked={storage === choice} onChange={() => onStorage(choice)} />
          <span>
            <strong>{t(`key.choices.${choice}.label`)}</strong>
            <span className={styles.detail}>{t(`key.choices.${choice}.detail`)}</span>
          </span>
        </label>
      ))}
      {storageMissing ? (
        <p role="alert" className={styles.missing}>
          {t('key.chooseFirst')}
        </p>
      ) : null}
    </fieldset>
  );
}
