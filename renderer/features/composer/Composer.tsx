// Where a message or a command is written (U4, K1): text, files, who answers, how full the context is, what waits, and send or stop.
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueMode } from '../../../shared/model/queue';
import { useWorkspace } from '../../state/appSlice';
import { runCommand } from '../../state/commandSlice';
import { composerState, flushDraft, loadDraft, setDraftText, useDraftAttachments } from '../../state/composerSlice';
import { loadContext } from '../../state/contextView';
import { addPaste, unpaste } from '../../state/draftFiles';
import { useNextAgent } from '../../state/nextAgent';
import { queueDraft, sendDraft } from '../../state/sendDraft';
import { stopTurn } from '../../state/talkActs';
import { useConversationId, useEndingKey, useRunningHere, useTipId } from '../../state/talkSlice';
import { AttachmentTray } from './AttachmentTray';
import { CommandHelp } from './CommandHelp';
import { CompactionStrip } from './CompactionStrip';
import styles from './Composer.module.css';
import { ComposerBar } from './ComposerBar';
import { ContextDialog } from './ContextDialog';
import { DropOverlay } from './DropOverlay';
import { Hints } from './Hints';
import { MessageBox, type MessageBoxHandle } from './MessageBox';
import { QueuedMessages } from './QueuedMessages';
import { useEscapeStops } from './useEscapeStops';
import { useSendState } from './useSendState';

export function Composer() {
  const { t } = useTranslation('composer');
  const box = useRef<MessageBoxHandle>(null);
  const readOnly = useWorkspace()?.status === 'readOnly';
  const { agent } = useNextAgent();
  const running = useRunningHere();
  const state = useSendState();
  useDraftOfConversation();
  useContextOfConversation();
  useEscapeStops(running);
  useFocusOnDemand(box);

  const isRunning = running !== null;
  const [agentId, { canSend }] = [agent?.id ?? null, state];
  const send = useCallback(
    (mode: QueueMode) => {
      // The box is asked, not the state: an input method may have committed its last letters just now.
      const text = box.current?.text() ?? '';
      if (composerState().draft.text !== text) setDraftText(text);
      if (readOnly || runCommand(text) || !canSend) return;
      void (isRunning ? queueDraft(text, agentId, mode) : sendDraft(text, agentId));
    },
    [readOnly, canSend, isRunning, agentId],
  );
  const stop = useCallback(() => void (running && stopTurn(running)), [running]);
  // The button that was clicked goes away, or is off until there is text again: what is typed next belongs in the box.
  const onSendButton = useCallback(
    (mode: QueueMode) => {
      send(mode);
      box.current?.focus();
    },
    [send],
  );
  const onStopButton = useCallback(() => {
    stop();
    box.current?.focus();
  }, [stop]);
  const pasteLong = useCallback((text: string) => void addPaste(text, t('pasteName')), [t]);
  const pasteAsText = useCallback(async (hash: Parameters<typeof unpaste>[0]) => {
    const text = await unpaste(hash);
    if (text !== null) box.current?.insert(text);
  }, []);

  return (
    <section className={styles.composer} aria-label={t('region')}>
      <Hints state={state} />
      <CompactionStrip />
      <QueuedMessages readOnly={readOnly} onEdited={() => box.current?.focus()} />
      <div className={styles.panel}>
        <AttachmentTray onPasteAsText={(hash) => void pasteAsText(hash)} />
        <MessageBox ref={box} agentName={agent?.name ?? null} disabled={readOnly} onSend={send} onLongPaste={pasteLong} />
        <ComposerBar state={state} running={isRunning} readOnly={readOnly} onSend={onSendButton} onStop={onStopButton} />
      </div>
      <DropOverlay readOnly={readOnly} />
      <CommandHelp />
      <ContextDialog />
    </section>
  );
}

function useDraftOfConversation(): void {
  const conversationId = useConversationId();
  useEffect(() => void loadDraft(conversationId ?? 'new'), [conversationId]);
  useEffect(() => {
    window.addEventListener('pagehide', flushDraft);
    return () => {
      window.removeEventListener('pagehide', flushDraft);
      flushDraft();
    };
  }, []);
}

/** Asked again when what would be sent changed: the path, who answers, the attached files. */
function useContextOfConversation(): void {
  const conversationId = useConversationId();
  const tip = useTipId();
  const ending = useEndingKey();
  const { agent } = useNextAgent();
  const attachments = useDraftAttachments();
  const [agentId, model] = [agent?.id ?? null, agent?.model];
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when the answer may have changed
  useEffect(() => {
    // Main counts the draft as it was last saved: what was just attached is told first.
    flushDraft();
    void loadContext(conversationId, agentId);
  }, [conversationId, agentId, model, tip, ending, attachments]);
}

function useFocusOnDemand(box: { current: MessageBoxHandle | null }): void {
  useEffect(() => {
    const focus = () => box.current?.focus();
    window.addEventListener('bough:focus-composer', focus);
    return () => window.removeEventListener('bough:focus-composer', focus);
  }, [box]);
}
