// Where the reader stands among the differences.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useComparedRows } from '../../state/compareSlice';
import { type AnswerView, findStep, type Step } from './findStep';

export type Steps = {
  at: Step | null;
  /** The turn in which that is, counted from 1. */
  turn: number;
  /** The way in which nothing was found. */
  stopped: 1 | -1 | null;
  go(direction: 1 | -1): void;
  onKeyDown(event: KeyboardEvent): void;
};

export function useSteps(view: AnswerView): Steps {
  const rows = useComparedRows();
  const [at, setAt] = useState<Step | null>(null);
  const [stopped, setStopped] = useState<1 | -1 | null>(null);
  const asked = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another comparison, or another way to show it, has other differences
  useEffect(() => {
    asked.current++;
    setAt(null);
    setStopped(null);
  }, [rows, view]);
  const go = (direction: 1 | -1) => {
    const mine = ++asked.current;
    const isWanted = () => mine === asked.current;
    void findStep({ rows, from: at, direction, view, isWanted }).then((found) => {
      if (!isWanted()) return;
      if (found) setAt(found);
      setStopped(found ? null : direction);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionOf(event);
    if (direction === null || event.defaultPrevented) return;
    event.preventDefault();
    go(direction);
  };
  return { at, turn: (rows[at?.row ?? 0]?.turn ?? 0) + 1, stopped, go, onKeyDown };
}

/** N and P, or Alt with an arrow. */
function directionOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): 1 | -1 | null {
  if (ctrlKey || metaKey) return null;
  if (altKey) return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null;
  const letter = key.toLowerCase();
  return letter === 'n' ? 1 : letter === 'p' ? -1 : null;
}
