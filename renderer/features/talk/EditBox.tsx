// Edits a message in place (T5): what comes of it is a new version beside the old one. Nothing typed is lost by leaving.
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCommand } from '../../../shared/commands';
import type { Attachment } from '../../../shared/model/draft';
import type { MessageId } from '../../../shared/model/ids';
import { textOf } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import { saveAnswerEdit, sendEdit, stopEditing } from '../../state/talkActs';
import { AttachmentTile } from '../../ui/AttachmentTile';
import { Button } from '../../ui/Button';
import { growToFit } from '../../ui/growToFit';
import { useBigInserts } from '../../ui/useBigInserts';
import { useComposition } from '../../ui/useComposition';
import styles from './EditBox.module.css';
import { useList } from './listContext';

type Unsent = { text: string; attachments: Attachment[] };
/** Edits that were left: they come back when the message is edited again in this run. */
const unsent = new Map<MessageId, Unsent>();

const attachmentsOf = (message: MessageView): Attachment[] =>
  message.parts.filter((part): part is Attachment => part.type === 'image' || part.type === 'file');

export function EditBox({ message, depth }: { message: MessageView; depth: number }) {
  const { t } = useTranslation('talk');
  const edit = useEdit(message, depth);
  const refusalId = useId();
  const composition = useComposition();
  useBigInserts(edit.box);
  const onKeyDown = (event: KeyboardEvent) => {
    if (composition.owns(event)) return;
    if (event.key === 'Escape') edit.leave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void edit.send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.editor}>
      {edit.attachments.length > 0 ? (
        <div className={styles.attachments}>
          {edit.attachments.map((part) => (
            <AttachmentTile key={part.hash} part={part} onRemove={() => edit.remove(part)} />
          ))}
        </div>
      ) : null}
      <textarea
        ref={edit.box}
        className={styles.box}
        dir="auto"
        aria-label={t('edit.label')}
        defaultValue={edit.text}
        rows={1}
        onKeyDown={onKeyDown}
        aria-invalid={edit.refused || undefined}
        aria-describedby={edit.refused ? refusalId : undefined}
        onInput={(event) => {
          edit.clearRefusal();
          growToFit(event.currentTarget, editShare);
        }}
        {...composition.handlers}
      />
      {edit.refused ? (
        <p id={refusalId} className={styles.refusal} role="alert">
          {t('edit.command')}
        </p>
      ) : null}
      <div className={styles.bar}>
        <p className={styles.hint}>
          {edit.restored ? (
            <>
              {t('edit.restored')}{' '}
              <button type="button" className={styles.startOver} onClick={edit.startOver}>
                {t('edit.startOver')}
              </button>
            </>
          ) : (
            t(message.role === 'assistant' ? 'edit.answerHint' : 'edit.userHint')
          )}
        </p>
        <Button size="small" look="plain" onClick={edit.leave} data-tooltip={t('edit.cancel')} data-tooltip-keys="Escape">
          {t('edit.cancel')}
        </Button>
        <Button
          size="small"
          look="primary"
          busy={edit.sending}
          onClick={() => void edit.send()}
          data-tooltip={t('edit.send')}
          data-tooltip-keys="Mod+Enter"
        >
          {t('edit.send')}
        </Button>
      </div>
    </div>
  );
}

/** The text is the box's own; the files and what is left of an earlier edit are kept here. */
function useEdit(message: MessageView, depth: number) {
  const { focusDepth } = useList();
  const box = useRef<HTMLTextAreaElement>(null);
  const original = textOf(message);
  const [restored, setRestored] = useState(() => unsent.get(message.id));
  const [attachments, setAttachments] = useState(() => restored?.attachments ?? attachmentsOf(message));
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState(false);
  useCaretAtEnd(box);
  const leave = () => {
    const text = box.current?.value ?? original;
    const changed = text !== original || attachments.length !== attachmentsOf(message).length;
    if (changed) unsent.set(message.id, { text, attachments });
    else unsent.delete(message.id);
    stopEditing();
    focusDepth(depth);
  };
  const startOver = () => {
    unsent.delete(message.id);
    setAttachments(attachmentsOf(message));
    setRestored(undefined);
    setRefused(false);
    if (!box.current) return;
    box.current.value = original;
    growToFit(box.current, editShare);
    box.current.focus();
  };
  const send = async () => {
    // The box is asked, not the state: an input method may have committed its last letters just now.
    const text = box.current?.value ?? '';
    if (sending || (text.trim() === '' && attachments.length === 0)) return;
    const isAnswer = message.role === 'assistant';
    // A command never reaches a model (K1), and what it does belongs to the end of the talk, not to this place. An answer is not sent.
    if (!isAnswer && parseCommand(text)) {
      setRefused(true);
      box.current?.focus();
      return;
    }
    setSending(true);
    const done = isAnswer ? await saveAnswerEdit(message.id, text, depth) : await sendEdit(message.id, text, attachments);
    setSending(false);
    if (!done) return;
    unsent.delete(message.id);
    focusDepth(depth);
  };
  const remove = (part: Attachment) => setAttachments(attachments.filter((other) => other !== part));
  const clearRefusal = () => setRefused(false);
  const text = restored?.text ?? original;
  return { box, text, restored: restored !== undefined, attachments, sending, refused, clearRefusal, leave, startOver, send, remove };
}

/** The share of the window's height that the editor may take. */
const editShare = 0.5;

function useCaretAtEnd(box: { current: HTMLTextAreaElement | null }): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    growToFit(element, editShare);
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
  }, [box]);
}
