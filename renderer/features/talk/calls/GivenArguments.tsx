// The arguments of a call: by name where they are one JSON object, as they stand where they are not.
import { useTranslation } from 'react-i18next';
import { PlainOutput } from '../../../ui/PlainOutput';
import styles from './calls.module.css';
import type { ReadArguments } from './readArguments';

export function GivenArguments({ text, given, writing }: { text: string; given: ReadArguments; writing: boolean }) {
  const { t } = useTranslation('talk');
  const names = Object.entries(given.values);
  if (text.trim() === '' || (given.whole && names.length === 0)) return <p className={styles.quiet}>{t('calls.noArguments')}</p>;
  if (!given.whole) {
    return (
      <section className={styles.section}>
        <h3 className={styles.heading}>{t(writing ? 'calls.argumentsSoFar' : 'calls.argumentsRaw')}</h3>
        <PlainOutput text={text} label={t('calls.arguments')} />
      </section>
    );
  }
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{t('calls.arguments')}</h3>
      <dl className={styles.given}>
        {names.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Longer or of several lines: in a box that scrolls. */
const shortest = 200;

function Value({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (text.length > shortest || text.includes('\n')) return <PlainOutput text={text} label={name} />;
  return (
    <code className={styles.value} dir="auto">
      {text}
    </code>
  );
}
