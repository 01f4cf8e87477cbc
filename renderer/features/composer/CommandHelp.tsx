// The commands that there are (`/help`): what each takes and does, and which lines are none.
import { useTranslation } from 'react-i18next';
import { commandTable } from '../../../shared/commands';
import { closeCommandHelp, useHelpOpen } from '../../state/commandSlice';
import { Dialog } from '../../ui/Dialog';
import styles from './CommandHelp.module.css';

export function CommandHelp() {
  const { t } = useTranslation('commands');
  if (!useHelpOpen()) return null;
  return (
    <Dialog title={t('helpTitle')} description={t('helpText')} closeLabel={t('close')} onClose={closeCommandHelp}>
      {/* Long lists scroll: by keyboard too. */}
      <dl tabIndex={0} className={styles.commands}>
        {commandTable.map(({ name, pattern }) => (
          <div key={name}>
            <dt>
              <code>
                /{name} {pattern}
              </code>
            </dt>
            <dd>{t(`help.${name}`)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.rule}>{t('helpRule')}</p>
      <p className={styles.rule}>{t('helpMention')}</p>
    </Dialog>
  );
}
