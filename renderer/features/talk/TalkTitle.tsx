// The conversation's title; a double click or Enter renames it in place.
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renameConversation } from '../../state/conversationsSlice';
import { useConversationId, useOpenConversation } from '../../state/talkSlice';
import { useComposition } from '../../ui/useComposition';
import styles from './TalkHead.module.css';

export function TalkTitle() {
  // A rename that was begun does not follow to another conversation.
  return <Title key={useConversationId()} />;
}

function Title() {
  const { t } = useTranslation('talk');
  const conversation = useOpenConversation();
  const [renaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useLayoutEffect(() => {
    if (wasRenaming.current && !renaming) button.current?.focus();
    wasRenaming.current = renaming;
  }, [renaming]);
  if (!conversation) return <h1 className={styles.title}>{t('untitled')}</h1>;
  const title = conversation.title || t('untitled');
  if (renaming) {
    const done = (next: string | null) => {
      setRenaming(false);
      if (next !== null && next !== conversation.title) void renameConversation(conversation.id, next);
    };
    return <TitleBox title={conversation.title} onDone={done} />;
  }
  return (
    <h1 className={styles.title}>
      <button
        ref={button}
        type="button"
        dir="auto"
        className={styles.titleButton}
        data-tooltip={t('title.rename')}
        data-tooltip-keys="F2"
        // A click with the mouse does nothing: its second one does. Enter and assistive technology click without a count.
        onClick={(event) => event.detail === 0 && setRenaming(true)}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={(event) => event.key === 'F2' && setRenaming(true)}
      >
        {title}
      </button>
    </h1>
  );
}

function TitleBox({ title, onDone }: { title: string; onDone(next: string | null): void }) {
  const { t } = useTranslation('talk');
  const box = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  const composition = useComposition();
  useLayoutEffect(() => box.current?.select(), []);
  const end = (keep: boolean) => {
    if (ended.current) return;
    ended.current = true;
    const text = box.current?.value.trim() ?? '';
    onDone(keep && text !== '' ? text : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (composition.owns(event)) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === 'Enter');
  };
  return (
    <input
      ref={box}
      // biome-ignore lint/a11y/noAutofocus: the person asked to rename: this is where they type
      autoFocus
      dir="auto"
      className={styles.titleBox}
      aria-label={t('title.label')}
      defaultValue={title}
      maxLength={500}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
      {...composition.handlers}
    />
  );
}
