// The talk: the messages of the open conversation, or why there are none to show.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { loadMarks } from '../../state/memorySlice';
import { useNextAgent } from '../../state/nextAgent';
import {
  openConversation,
  useConversationId,
  useEndingKind,
  usePathLength,
  useTalkFailure,
  useTalkStatus,
  useTipId,
} from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import { useLate } from '../../ui/Skeleton';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { CarryDialog } from './CarryDialog';
import { CarryRows } from './CarryRows';
import { EmptyTalk } from './EmptyTalk';
import { MakingRoom } from './MakingRoom';
import { Messages } from './MessageList';
import styles from './Talk.module.css';
import { WaitsElsewhere } from './WaitsElsewhere';

export function Talk() {
  const status = useTalkStatus();
  const length = usePathLength();
  const ending = useEndingKind();
  useMarks();
  if (status === 'loading') return <Loading />;
  if (status === 'failed') return <LoadFailed />;
  if (status === 'new' || (length === 0 && ending === null)) return <EmptyTalk />;
  return (
    <>
      <Messages />
      <CarryRows />
      <MakingRoom />
      <WaitsElsewhere />
      <CarryDialog />
    </>
  );
}

/** Asked for once the messages are there, and again when the path or who answers changed. */
function useMarks(): void {
  const conversationId = useConversationId();
  const tipId = useTipId();
  const { agent } = useNextAgent();
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when the answer may have changed
  useEffect(() => void loadMarks(), [conversationId, tipId, agent?.id]);
}

function Loading() {
  const { t } = useTranslation('talk');
  const late = useLate();
  return (
    <div className={styles.loading} role="status">
      {late ? (
        <div className={styles.ghosts}>
          <VisuallyHidden>{t('loading')}</VisuallyHidden>
          <span className={styles.ghostBlock} />
          <span className={styles.ghost} style={{ width: '28%' }} />
          <span className={styles.ghost} style={{ width: '92%' }} />
          <span className={styles.ghost} style={{ width: '86%' }} />
          <span className={styles.ghost} style={{ width: '61%' }} />
        </div>
      ) : null}
    </div>
  );
}

function LoadFailed() {
  const { t } = useTranslation('talk');
  const failure = useTalkFailure();
  const conversationId = useConversationId();
  return (
    <div className={styles.failed}>
      <ErrorState
        heading
        title={t('loadFailed.title')}
        kept={t('loadFailed.kept')}
        actions={
          conversationId ? (
            <Button look="primary" onClick={() => void openConversation(conversationId)}>
              {t('loadFailed.retry')}
            </Button>
          ) : null
        }
      >
        {failure ? <FailureText failure={failure} /> : null}
      </ErrorState>
    </div>
  );
}
