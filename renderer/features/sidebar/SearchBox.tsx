// Finds conversations by title and messages by their words while one types; Escape clears, then leaves.
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusSearchEvent, focusToReplace } from '../../focusEvents';
import { setConversationQuery, useConversationQuery } from '../../state/conversationsSlice';
import { closeSearch, setSearchQuery, useSearchOpen } from '../../state/searchSlice';
import { useKeysOf } from '../../state/shortcutKeys';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import styles from './Sidebar.module.css';

export function SearchBox({ onEnterList }: { onEnterList(): void }) {
  const { t } = useTranslation('sidebar');
  const query = useConversationQuery();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: Event) => focusToReplace(input.current, event);
    window.addEventListener(focusSearchEvent, focus);
    return () => window.removeEventListener(focusSearchEvent, focus);
  }, []);
  const open = useSearchOpen();
  const keys = useKeysOf('search');
  // The list can clear it, too.
  useEffect(() => setSearchQuery(query), [query]);
  const clear = () => {
    setConversationQuery('');
    closeSearch();
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && (query || open)) {
      event.preventDefault();
      clear();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      onEnterList();
    }
  };
  return (
    <div className={styles.search}>
      <Search aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={t('search.label')}
        placeholder={t('search.placeholder')}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        maxLength={500}
        value={query}
        onChange={(event) => setConversationQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {query || open ? (
        <IconButton label={t('search.clear')} size="small" onClick={clear}>
          <X aria-hidden="true" />
        </IconButton>
      ) : keys ? (
        <Kbd keys={keys} quiet />
      ) : null}
    </div>
  );
}
