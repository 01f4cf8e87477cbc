// The command palette (U6): everything the window can do, found by a few letters; what asks for words asks here.
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Outcome } from '../../state/commandOutcome';
import { runChosen } from '../../state/commandSlice';
import { closePalette, noteChosen, recentChoices, usePaletteAsking, usePaletteOpen } from '../../state/paletteSlice';
import { Dialog } from '../../ui/Dialog';
import { sentenceGap } from '../../ui/format';
import { type Entry, groupsFor } from './entries';
import styles from './Palette.module.css';
import { PaletteBox } from './PaletteBox';
import { PaletteQuestion } from './PaletteQuestion';
import { useEntries } from './useEntries';

/** `explain`: why a slash command did nothing, in the words of the message box. */
export function Palette({ explain }: { explain(outcome: Exclude<Outcome, { type: 'done' }>): ReactNode }) {
  return usePaletteOpen() ? <Opened explain={explain} /> : null;
}

function Opened({ explain }: Parameters<typeof Palette>[0]) {
  const { t } = useTranslation('palette');
  const asking = usePaletteAsking();
  /** Run once the palette is gone and the focus is back where it was. */
  const chosen = useRef<(() => void) | null>(null);
  const leave = (run: (() => void) | null, key: string | null) => {
    if (key !== null) noteChosen(key);
    chosen.current = run;
    closePalette();
  };
  return (
    <Dialog title={t('title')} size="palette" plain bare focusFirst="input" onClose={closePalette} onClosed={() => chosen.current?.()}>
      <div className={styles.palette}>
        {asking ? (
          <PaletteQuestion key={asking} id={asking} onDone={(run) => leave(run, asking)} explain={explain} />
        ) : (
          <AllCommands onChosen={(entry) => leave(entry.run, entry.recallable ? entry.key : null)} />
        )}
      </div>
    </Dialog>
  );
}

function AllCommands({ onChosen }: { onChosen(entry: Entry): void }) {
  const { t, i18n } = useTranslation('palette');
  const [query, setQuery] = useState('');
  const entries = useEntries();
  const typed = query.trim();
  const groups = groupsFor(query, entries, recentChoices(), t('recent'));
  const searching: Entry = {
    key: 'search messages',
    title: t('searchFor', { query: typed }),
    group: t('group.search'),
    recallable: false,
    run: () => void runChosen(`/search ${typed}`),
  };
  const none = groups.length === 0;
  const shown = typed === '' || typed.startsWith('/') ? groups : withSearch(groups, searching);
  return (
    <PaletteBox
      label={t('box')}
      placeholder={t('placeholder')}
      query={query}
      maxLength={500}
      onQuery={setQuery}
      groups={shown}
      onChoose={(entry) => {
        if (entry.why !== undefined) return;
        if (entry.asks) entry.run();
        else onChosen(entry);
      }}
    >
      {none ? (
        <p role="status" className={styles.none}>
          {t('none', { query: typed })}
          {sentenceGap(i18n.language)}
          {shown.length > 0 ? t('noneHint') : null}
        </p>
      ) : null}
    </PaletteBox>
  );
}

/** Last, whatever else fits. */
function withSearch(groups: ReturnType<typeof groupsFor>, searching: Entry): ReturnType<typeof groupsFor> {
  const item = { entry: searching, places: [] };
  const has = groups.some((group) => group.title === searching.group);
  if (!has) return [...groups, { title: searching.group, items: [item] }];
  return groups.map((group) => (group.title === searching.group ? { ...group, items: [...group.items, item] } : group));
}
