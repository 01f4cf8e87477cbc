// Identifiers of a card that nothing of what was folded has (M2).
import { useTranslation } from 'react-i18next';
import styles from './Memory.module.css';

export function Suspects({ suspects }: { suspects: readonly string[] }) {
  const { t } = useTranslation('memory');
  if (suspects.length === 0) return null;
  return (
    <details className={styles.suspects}>
      <summary>{t('suspect', { count: suspects.length })}</summary>
      <ul>
        {suspects.map((each) => (
          <li key={each}>
            <code dir="auto">{each}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
