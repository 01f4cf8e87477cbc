// The bar over the talk that finds words in the open conversation; Escape closes it and gives the focus back.
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFindEvent, focusToReplace } from '../../focusEvents';
import { closeFind, findAgain, setFindQuery, stepFind, useFindOpen, useFindState } from '../../state/findSlice';
import { useConversationId, useTipId } from '../../state/talkSlice';
import { IconButton } from '../../ui/IconButton';
import styles from './FindBar.module.css';
import { depthInView, useFindMarks } from './useFindMarks';

export function FindBar() {
  const open = useFindOpen();
  const conversationId = useConversationId();
  // What is looked for in one conversation is not meant for the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another conversation is shown
  useEffect(() => closeFind, [conversationId]);
  return open ? <Bar /> : null;
}

function Bar() {
  const { t } = useTranslation('search');
  const { query, at, total, reading } = useFindState();
  const input = useRef<HTMLInputElement>(null);
  const tipId = useTipId();
  useFindMarks();
  useFocusKept(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the path is another one
  useEffect(() => void findAgain(depthInView()), [tipId]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') closeFind();
    else if (event.key === 'Enter' && event.target === input.current) stepFind(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const none = total === 0 && query.trim() !== '' && !reading;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element of this role is younger than the oldest Chromium this runs in
    <div role="search" aria-label={t('find.label')} className={styles.bar} onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="text"
        aria-label={t('find.box')}
        placeholder={t('find.placeholder')}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        maxLength={500}
        value={query}
        data-none={none || undefined}
        onChange={(event) => void setFindQuery(event.target.value, depthInView())}
      />
      <span role="status" className={styles.count}>
        {total > 0 ? t('find.place', { at: at + 1, total }) : none ? t('find.none') : ''}
      </span>
      <IconButton label={t('find.previous')} keys="Shift+Enter" size="small" disabled={total === 0} onClick={() => stepFind(-1)}>
        <ArrowUp aria-hidden="true" />
      </IconButton>
      <IconButton label={t('find.next')} keys="Enter" size="small" disabled={total === 0} onClick={() => stepFind(1)}>
        <ArrowDown aria-hidden="true" />
      </IconButton>
      <IconButton label={t('find.close')} keys="Escape" size="small" onClick={closeFind}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** Takes the focus, also when its keys are pressed again, and gives it back at the end. */
function useFocusKept(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const before = document.activeElement;
    const focus = (event?: Event) => focusToReplace(input.current, event);
    focus();
    window.addEventListener(focusFindEvent, focus);
    return () => {
      window.removeEventListener(focusFindEvent, focus);
      const lost = document.activeElement === document.body || document.activeElement === null;
      if (before instanceof HTMLElement && before.isConnected && lost) before.focus({ preventScroll: true });
    };
  }, [input]);
}
