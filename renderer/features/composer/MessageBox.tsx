// The text box itself. The page owns the text while it is typed: megabytes are never copied through React.
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueMode } from '../../../shared/model/queue';
import { useSettings } from '../../state/appSlice';
import { clearOutcome } from '../../state/commandSlice';
import { composerState, setDraftText, useDraftKey, useDraftWritten } from '../../state/composerSlice';
import { addFiles } from '../../state/draftFiles';
import { editLastPrompt } from '../../state/talkActs';
import { growToFit } from '../../ui/growToFit';
import { useBigInserts } from '../../ui/useBigInserts';
import { useComposition } from '../../ui/useComposition';
import { CompletionList } from './CompletionList';
import styles from './Composer.module.css';
import { useCompletion } from './useCompletion';

export type MessageBoxHandle = { text(): string; focus(): void; insert(text: string): void };
type MessageBoxProps = {
  ref: Ref<MessageBoxHandle>;
  agentName: string | null;
  disabled: boolean;
  /** While an answer is written the mode says when it is sent. */
  onSend(mode: QueueMode): void;
  onLongPaste(text: string): void;
};

/** The share of the window's height that the box may take. */
const boxShare = 0.4;

export function MessageBox({ ref, agentName, disabled, onSend, onLongPaste }: MessageBoxProps) {
  const { t } = useTranslation('composer');
  const box = useRef<HTMLTextAreaElement>(null);
  const composition = useComposition();
  const preferences = useSettings()?.preferences;
  useWrittenText(box);
  const completion = useCompletion(box, (text) => typed(box.current, text));
  useImperativeHandle(ref, () => makeHandle(box), []);
  useBigInserts(box, (text) => {
    const huge = hasHugeLine(text);
    if (huge) onLongPaste(text);
    return huge;
  });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (composition.owns(event)) return;
    if (completion.onKeyDown(event)) {
      event.preventDefault();
      return;
    }
    const mode = sendModeOf(event, preferences?.sendKey !== 'modEnter');
    if (mode) {
      event.preventDefault();
      completion.close();
      onSend(mode);
    } else if (event.key === 'ArrowUp' && event.currentTarget.textLength === 0 && !hasModifier(event)) {
      if (editLastPrompt()) event.preventDefault();
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData('text/plain');
    const limit = preferences?.longPaste ?? 0;
    // Office programs put a picture of the text beside the text: the text is what was meant.
    if (files.length > 0 && text === '') void addFiles([...files]);
    else if ((limit > 0 && text.length >= limit) || hasHugeLine(text)) onLongPaste(text);
    else return;
    event.preventDefault();
  };
  const listed = completion.trigger !== null;
  const textarea = (
    <textarea
      ref={box}
      className={styles.box}
      dir="auto"
      rows={1}
      aria-label={t('label')}
      placeholder={agentName ? t('placeholder', { agent: agentName }) : t('placeholderPlain')}
      disabled={disabled}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      aria-autocomplete="list"
      aria-controls={listed ? completion.listId : undefined}
      aria-activedescendant={listed && completion.active >= 0 ? `${completion.listId}-${completion.active}` : undefined}
      onInput={(event) => {
        typed(event.currentTarget, event.currentTarget.value);
        // An input method has its own list until it is done.
        if (isComposing(event)) completion.close();
        else completion.sync();
      }}
      onSelect={() => listed && completion.sync()}
      onBlur={completion.close}
      onCompositionStart={(event) => {
        completion.close();
        composition.handlers.onCompositionStart(event);
      }}
      onCompositionEnd={(event) => {
        composition.handlers.onCompositionEnd(event);
        completion.sync();
      }}
    />
  );
  return (
    <>
      {listed ? <CompletionList completion={completion} /> : null}
      {textarea}
    </>
  );
}

const hasModifier = (event: KeyboardEvent) => event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;

/** What an Enter asks for; null where it is a new line. `plain`: Enter alone sends. */
function sendModeOf(event: KeyboardEvent, plain: boolean): QueueMode | null {
  if (event.key !== 'Enter' || event.altKey) return null;
  const mod = event.ctrlKey || event.metaKey;
  if (!mod) return plain && !event.shiftKey ? 'queue' : null;
  return plain || event.shiftKey ? 'steer' : 'queue';
}

const isComposing = ({ nativeEvent }: FormEvent) => 'isComposing' in nativeEvent && nativeEvent.isComposing === true;

/** What is in the box has changed by the person's own doing. */
function typed(element: HTMLTextAreaElement | null, text: string): void {
  setDraftText(text);
  clearOutcome();
  if (element) growToFit(element, boxShare);
}

/** Chromium lays a line of a text box out in quadratic time: a megabyte without a break freezes the window for seconds. As a file it takes none. */
const hugeLine = 100_000;
function hasHugeLine(text: string): boolean {
  return text.length >= hugeLine && text.split('\n').some((line) => line.length >= hugeLine);
}

/** Shows text that something else than typing wrote: another draft, a starter, nothing after sending. */
function useWrittenText(box: { current: HTMLTextAreaElement | null }): void {
  const written = useDraftWritten();
  const key = useDraftKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count and the key say when the text is new
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { text } = composerState().draft;
    if (element.value !== text) element.value = text;
    growToFit(element, boxShare);
  }, [box, written, key]);
  useLayoutEffect(() => {
    const refit = () => box.current && growToFit(box.current, boxShare);
    window.addEventListener('resize', refit);
    return () => window.removeEventListener('resize', refit);
  }, [box]);
}

function makeHandle(box: { current: HTMLTextAreaElement | null }): MessageBoxHandle {
  return {
    text: () => box.current?.value ?? '',
    focus: () => box.current?.focus(),
    insert(text) {
      box.current?.focus();
      if (box.current) insertInto(box.current, text);
    },
  };
}

function insertInto(element: HTMLTextAreaElement, text: string): void {
  element.setRangeText(text, element.selectionStart, element.selectionEnd, 'end');
  typed(element, element.value);
}
