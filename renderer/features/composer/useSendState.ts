// Whether the draft can be sent (or queued, while an answer is written), and if not, why.
import { useWorkspace } from '../../state/appSlice';
import { useDraftAttachments, useDraftHasText, useIsSending, usePendingFiles } from '../../state/composerSlice';
import { useNextAgent } from '../../state/nextAgent';

export type SendState = {
  canSend: boolean;
  empty: boolean;
  sending: boolean;
  reason: 'readOnly' | 'unknownAgent' | 'noModel' | 'reading' | null;
};

export function useSendState(): SendState {
  const readOnly = useWorkspace()?.status === 'readOnly';
  const hasText = useDraftHasText();
  const attachments = useDraftAttachments();
  const reading = usePendingFiles().some((file) => file.failure === null);
  const sending = useIsSending();
  const { ready, unknownId } = useNextAgent();
  const empty = !hasText && attachments.length === 0;
  const reason = reasonOf({ readOnly, unknown: unknownId !== null, ready, reading });
  return { canSend: reason === null && !sending, empty, sending, reason };
}

function reasonOf(facts: { readOnly: boolean; unknown: boolean; ready: boolean; reading: boolean }): SendState['reason'] {
  if (facts.readOnly) return 'readOnly';
  if (facts.unknown) return 'unknownAgent';
  if (!facts.ready) return 'noModel';
  return facts.reading ? 'reading' : null;
}
