// The tree's keys at work: moves, folds, acts by their letters, and the first letters of a row typed to find it.
import { type KeyboardEvent, useRef } from 'react';
import type { OutlineRow } from '../../../shared/tree/outlineRows';
import { rowText, type Words } from './rowWords';
import { actKeys, pressedKey } from './TurnMenu';
import { actOf, findTyped, type TreeAct } from './treeKeys';
import type { TurnActs } from './useTurnActs';

/** Letters typed within this time are one word. */
const typingPause = 700;

type Keys = {
  rows: readonly OutlineRow[];
  words: Words;
  turnActs: TurnActs;
  focusAt(at: number): void;
  /** Closes what Escape closes here; false when there is nothing. */
  onEscape(): boolean;
};

export function useTreeKeys({ rows, words, turnActs, focusAt, onEscape }: Keys): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  const isTyping = () => performance.now() - typed.current.at < typingPause;

  const perform = (act: TreeAct, row: OutlineRow) => {
    if (act.type === 'focus') focusAt(act.at);
    else if (act.type === 'unfold') turnActs.unfold(row);
    else if (act.type === 'fold') turnActs.fold(row);
    else if (act.type === 'foldRun') turnActs.foldRun(row);
    else if (row.kind === 'turn') turnActs.act('go', row);
  };
  const find = (key: string, at: number): boolean => {
    const text = isTyping() ? typed.current.text + key : key;
    if (key.length !== 1 || text.trim() === '') return false;
    typed.current = { text, at: performance.now() };
    const texts = rows.map((row) => rowText(row, words));
    const to = findTyped(texts, at, text);
    if (to >= 0) focusAt(to);
    return true;
  };
  const answer = (key: string, at: number, row: OutlineRow): boolean => {
    if (key === 'Escape') return onEscape();
    // A space or an act's letter within a word is part of it.
    if (key.length === 1 && isTyping()) return find(key, at);
    const act = actOf(key, rows, at);
    const turnAct = actKeys[key.toLowerCase()];
    if (act) perform(act, row);
    else if (turnAct && row.kind === 'turn') turnActs.act(turnAct, row);
    else return find(key, at);
    return true;
  };
  return (event) => {
    const key = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
    const at = rows.findIndex((row) => row.key === key);
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    if (answer(pressedKey(event), at, row)) event.preventDefault();
  };
}
