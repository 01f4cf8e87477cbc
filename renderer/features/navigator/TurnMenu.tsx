// What can be done with a turn from the navigator, by the same letters as its keys.
import { Bookmark, Columns2, CornerDownRight, FileOutput, GitFork, Luggage, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TurnPlace } from '../../../shared/tree/outlineRows';
import { MenuAt, type MenuItem } from '../../ui/Menu';

/** `keys`: Shift+Enter go with a digest, F fork, L label, E export, C compare, D delete (U5). */
export type TurnAct = 'go' | 'carry' | 'label' | 'fork' | 'export' | 'compare' | 'delete';
export const actKeys: Readonly<Record<string, TurnAct>> = {
  'shift+enter': 'carry',
  l: 'label',
  f: 'fork',
  e: 'export',
  c: 'compare',
  d: 'delete',
};
/** A key as the keys of acts name it. */
export const pressedKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }) => (key === 'Enter' && shiftKey ? 'Shift+Enter' : key);

export type TurnMenuPlace = { row: TurnPlace; at: { x: number; y: number } };
type TurnMenuProps = {
  place: TurnMenuPlace;
  name: string;
  onAct(act: TurnAct, row: TurnPlace): void;
  onClose(): void;
  returnFocus(): void;
};

export function TurnMenu({ place: { row, at }, name, onAct, onClose, returnFocus }: TurnMenuProps) {
  const { t } = useTranslation('navigator');
  // What moves focus elsewhere begins once the menu is gone.
  const chosen = useRef<TurnAct | null>(null);
  const choose = (act: TurnAct) => () => {
    chosen.current = act;
  };
  const items: MenuItem[] = [
    { id: 'go', label: t('menu.go'), icon: <CornerDownRight aria-hidden="true" />, keys: 'Enter', onSelect: choose('go') },
    {
      id: 'carry',
      label: t('menu.carry'),
      icon: <Luggage aria-hidden="true" />,
      keys: 'Shift+Enter',
      disabled: row.onPath,
      onSelect: choose('carry'),
    },
    {
      id: 'label',
      label: t(row.turn.label === undefined ? 'menu.label' : 'menu.relabel'),
      icon: <Bookmark aria-hidden="true" />,
      keys: 'L',
      onSelect: choose('label'),
    },
    { id: 'fork', label: t('menu.fork'), icon: <GitFork aria-hidden="true" />, keys: 'F', onSelect: choose('fork') },
    { id: 'export', label: t('menu.export'), icon: <FileOutput aria-hidden="true" />, keys: 'E', onSelect: choose('export') },
    {
      id: 'compare',
      label: t('menu.compare'),
      icon: <Columns2 aria-hidden="true" />,
      keys: 'C',
      disabled: row.onPath,
      onSelect: choose('compare'),
    },
    { kind: 'line', id: 'line' },
    { id: 'delete', label: t('menu.delete'), icon: <Trash2 aria-hidden="true" />, keys: 'D', danger: true, onSelect: choose('delete') },
  ];
  return (
    <MenuAt
      label={t('menu.of', { turn: name })}
      at={at}
      items={items}
      onClose={onClose}
      returnFocus={() => {
        returnFocus();
        if (chosen.current) onAct(chosen.current, row);
      }}
    />
  );
}
