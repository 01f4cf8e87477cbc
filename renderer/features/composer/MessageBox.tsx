// The text box itself. The page owns the text while it is typed: megabytes are never copied through React.
import { type ClipboardEvent, type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../state/appSlice';
import { composerState, setDraftText, useDraftKey, useDraftWritten } from '../../state/composerSlice';
import { addFiles } from '../../state/draftFiles';
import { editLastPrompt } from '../../state/talkActs';
import { growToFit, surelyTall } from '../../ui/growToFit';
import { useComposition } from '../../ui/useComposition';
import styles from './Composer.module.css';

export type MessageBoxHandle = { text(): string; focus(): void; insert(text: string): void };
type MessageBoxProps = {
  ref: Ref<MessageBoxHandle>;
  agentName: string | null;
  disabled: boolean;
  onSend(): void;
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
  useImperativeHandle(ref, () => makeHandle(box), []);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (composition.owns(event)) return;
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && !event.altKey && (mod || (preferences?.sendKey !== 'modEnter' && !event.shiftKey))) {
      event.preventDefault();
      onSend();
    } else if (event.key === 'ArrowUp' && event.currentTarget.textLength === 0 && !event.shiftKey && !mod && !event.altKey) {
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
    // The browser's own paste takes seconds for megabytes in a text box; put in as a value it takes a frame.
    else if (text.length > surelyTall) insertInto(event.currentTarget, text);
    else return;
    event.preventDefault();
  };
  return (
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
      onInput={(event) => {
        setDraftText(event.currentTarget.value);
        growToFit(event.currentTarget, boxShare);
      }}
      {...composition.handlers}
    />
  );
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
  setDraftText(element.value);
  growToFit(element, boxShare);
}
