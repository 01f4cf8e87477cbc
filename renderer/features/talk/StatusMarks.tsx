// How a message came to be as it is: broken off, cut, edited by hand, recovered, retold; and the names it has.
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/model/failure';
import type { MessageView } from '../../../shared/model/talkView';
import { cx } from '../../ui/cx';
import { useFailureTitle } from '../../ui/FailureText';
import { CheckpointMarks } from './CheckpointMarks';
import { ForkMarks } from './ForkMarks';
import { MarksOf } from './marks/MarksOf';
import styles from './StatusMarks.module.css';

export function StatusMarks({ message }: { message: MessageView }) {
  const { t } = useTranslation('talk');
  const title = useFailureTitle();
  const cause = message.failure && message.failure.code !== 'stopped' ? title(message.failure) : null;
  const said = message.failure ? wordsOf(message.failure) : null;
  return (
    <>
      {message.status === 'interrupted' ? (
        <span className={styles.amber}>
          <span>{t('status.interrupted')}</span>
          {cause ? <span className={styles.cause}>{cause}</span> : null}
          {said ? (
            <span className={styles.cause} dir="auto">
              {said}
            </span>
          ) : null}
        </span>
      ) : null}
      {message.finish ? <span className={styles.amber}>{t(`status.${message.finish}`)}</span> : null}
      {message.edited ? <span className={styles.mark}>{t('status.edited')}</span> : null}
      {message.recovered ? (
        <span className={cx(styles.amber, styles.hinted)} data-tooltip={t('status.recoveredHint')}>
          {t('status.recovered')}
        </span>
      ) : null}
      {message.retold ? (
        <span className={cx(styles.mark, styles.hinted)} data-tooltip={t('status.retoldHint')}>
          {t('status.retold')}
        </span>
      ) : null}
      <MarksOf messageId={message.id} />
      <CheckpointMarks messageId={message.id} />
      <ForkMarks messageId={message.id} />
    </>
  );
}

const mostWords = 300;

/** The provider's own words for why it broke off; those of the network say nothing more than the title. */
function wordsOf({ code, detail }: Failure): string | null {
  const text = code === 'connectionLost' || code === 'timeout' ? '' : (detail?.providerText ?? '').replace(/\s+/g, ' ').trim();
  if (text === '') return null;
  return text.length > mostWords ? `${text.slice(0, mostWords)}…` : text;
}

/** Whether anything of this must be seen without being pointed at. */
export function hasMarks({ status, finish, edited, recovered, retold }: MessageView): boolean {
  return status === 'interrupted' || finish !== undefined || edited === true || recovered === true || retold === true;
}
