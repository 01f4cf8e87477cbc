// The list itself: its states, its groups, its keys, and one menu for all rows. Long lists draw only what is in sight.
import { type KeyboardEvent, type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../../shared/model/conversation';
import type { ConversationId } from '../../../shared/model/ids';
import { useWorkspace } from '../../state/appSlice';
import {
  loadConversations,
  useConversationQuery,
  useConversations,
  useConversationsFailure,
  useShowsArchived,
} from '../../state/conversationsSlice';
import { askToImport } from '../../state/importSlice';
import { useConversationId } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText, useFailureTitle } from '../../ui/FailureText';
import { Skeleton } from '../../ui/Skeleton';
import { useRowWindow } from '../../ui/useRowWindow';
import styles from './ConversationList.module.css';
import { ConversationRow } from './ConversationRow';
import { type Group, groupConversations, monthLabel } from './groupConversations';
import { RowMenu, type RowMenuPlace } from './RowMenu';

export function ConversationList({ ref }: { ref: Ref<HTMLElement> }) {
  const { t } = useTranslation('sidebar');
  const list = useConversations();
  // State, not a ref: the rows of a long list are told once it is there.
  const [nav, setNav] = useState<HTMLElement | null>(null);
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => nav, [nav]);
  return (
    <nav ref={setNav} aria-label={t('list')} className={styles.nav}>
      {list && list.length > 0 ? <Rows list={list} scroller={nav} /> : <Instead />}
    </nav>
  );
}

/** What stands in the place of rows when there are none. */
function Instead() {
  const { t } = useTranslation('sidebar');
  const list = useConversations();
  const failure = useConversationsFailure();
  const query = useConversationQuery();
  const archived = useShowsArchived();
  const readOnly = useWorkspace()?.status === 'readOnly';
  const titleOf = useFailureTitle();
  if (failure) {
    return (
      <ErrorState title={titleOf(failure)} actions={<Button onClick={() => void loadConversations()}>{t('failed.retry')}</Button>}>
        <FailureText hideTitle failure={failure} />
      </ErrorState>
    );
  }
  if (!list) return <Skeleton label={t('loading')} lines={[70, 88, 54, 78, 62]} />;
  // A line is enough: what was found in messages stands right below.
  if (query) return <p className={styles.noMatch}>{t('noMatch')}</p>;
  if (archived) return <EmptyState title={t('archived.empty')}>{t('archived.emptyText')}</EmptyState>;
  return (
    <EmptyState title={t('empty.title')} action={readOnly ? null : <Button onClick={() => askToImport()}>{t('empty.import')}</Button>}>
      {t('empty.text')}
    </EmptyState>
  );
}

/** In rem. */
const rowHeight = 2;
const groupHeight = 2.25;

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Rows({ list, scroller }: { list: Conversation[]; scroller: HTMLElement | null }) {
  const { t, i18n } = useTranslation('sidebar');
  const now = useNow();
  const openId = useConversationId();
  const rows = useMemo(() => groupConversations(list, now), [list, now]);
  const [active, setActive] = useState<ConversationId | null>(null);
  const [renaming, setRenaming] = useState<ConversationId | null>(null);
  const [menu, setMenu] = useState<RowMenuPlace | null>(null);
  const tabStop = [active, openId].find((id) => id && list.some((row) => row.id === id)) ?? list[0]?.id;
  const window = useRowWindow({
    rows,
    tabStop: rows.findIndex((row) => row.key === tabStop),
    scroller,
    heightOf: (row) => (row?.type === 'group' ? groupHeight : rowHeight),
  });
  const focusRow = (id: ConversationId) => {
    const index = rows.findIndex((row) => row.key === id);
    setActive(id);
    window.show(index);
    requestAnimationFrame(() => scroller?.querySelector<HTMLElement>(`a[data-id="${CSS.escape(id)}"]`)?.focus());
  };
  // The same for all draws: a row is drawn again only when something about it changed.
  const focus = useRef(focusRow);
  focus.current = focusRow;
  const onRenamed = useCallback((id: ConversationId, byKeyboard: boolean) => {
    setRenaming(null);
    if (byKeyboard) focus.current(id);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const link = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('a[data-id]') : null;
    const at = list.findIndex((row) => row.id === link?.dataset.id);
    if (at < 0) return;
    const places: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: list.length - 1,
      PageDown: at + 10,
      PageUp: at - 10,
    };
    const to = places[event.key];
    const row = list[at];
    if (event.key === 'F2' && row) setRenaming(row.id);
    else if (to !== undefined) {
      const next = list[Math.max(0, Math.min(to, list.length - 1))];
      if (next) focusRow(next.id);
    } else return;
    event.preventDefault();
  };
  const label = (group: Group) => (typeof group === 'string' ? t(`groups.${group}`) : monthLabel(group.month, now, i18n.language));
  return (
    <>
      <ul className={styles.list} style={window.height === null ? undefined : { height: window.height }} onKeyDown={onKeyDown}>
        {window.shown.map(({ row, top }) => (
          <li
            key={row.key}
            className={top === null ? styles.item : styles.placed}
            style={top === null ? undefined : { transform: `translateY(${top}px)` }}
          >
            {row.type === 'group' ? (
              <h2 className={styles.group}>{label(row.group)}</h2>
            ) : (
              <ConversationRow
                conversation={row.conversation}
                isOpen={row.conversation.id === openId}
                isTabStop={row.conversation.id === tabStop}
                isRenaming={row.conversation.id === renaming}
                menuOpen={row.conversation.id === menu?.conversation.id}
                onFocus={setActive}
                onMenu={setMenu}
                onRenamed={onRenamed}
              />
            )}
          </li>
        ))}
      </ul>
      {menu ? <RowMenu place={menu} onClose={() => setMenu(null)} onRename={setRenaming} /> : null}
    </>
  );
}
