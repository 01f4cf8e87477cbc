// Completion in the message box: what is offered, the keys that choose it, and the text it puts in. The caret stays in the box (U4).
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { loadModels, useModels, useSettings } from '../../state/appSlice';
import { useCheckpoints } from '../../state/talkSlice';
import { isWhole, type Option, optionsFor, type Sources, type Trigger, triggerAt } from './completion';

export type Completion = {
  listId: string;
  trigger: Trigger | null;
  options: readonly Option[];
  /** -1: none yet; then Enter means the line as it stands. */
  active: number;
  setActive(index: number): void;
  accept(index: number): void;
  /** Looks at the text anew: after typing, and when an input method is done. */
  sync(): void;
  close(): void;
  /** True when the key was for the list. */
  onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): boolean;
};

export function useCompletion(box: RefObject<HTMLTextAreaElement | null>, write: (text: string) => void): Completion {
  const listId = useId();
  const sources = useSources();
  const [shown, setShown] = useState<{ trigger: Trigger; active: number } | null>(null);
  const dismissed = useRef<Place | null>(null);
  const options = useMemo(() => (shown ? optionsFor(shown.trigger, sources) : []), [shown, sources]);
  const active = shown ? Math.min(shown.active, options.length - 1) : -1;
  useModelsWhen(shown?.trigger.kind === 'model');

  const close = () => setShown(null);
  const sync = () => {
    const trigger = triggerOf(box.current);
    const left = dismissed.current;
    if (!isSame(left, trigger)) dismissed.current = null;
    setShown(trigger && !dismissed.current ? { trigger, active: firstActive(trigger) } : null);
  };
  const setActive = (index: number) => setShown((now) => now && { ...now, active: index });
  const put = (trigger: Trigger, option: Option) => {
    const element = box.current;
    if (!element) return;
    replaceText(element, trigger.from, option.insert, write);
    sync();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    // The list stands before the box: going back passes over it.
    if (event.key === 'Tab' && event.shiftKey) close();
    if (!shown || options.length === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    // Letters may have come in without an event: what counts is in the box.
    const trigger = triggerOf(box.current);
    if (!isSame(trigger, shown.trigger)) return false;
    switch (event.key) {
      case 'ArrowDown':
        setActive((active + 1) % options.length);
        return true;
      case 'ArrowUp':
        setActive(active > 0 ? active - 1 : options.length - 1);
        return true;
      case 'Escape':
        dismissed.current = trigger;
        close();
        return true;
      case 'Enter':
        return choose(trigger, optionsFor(trigger, sources)[active], 'enter');
      case 'Tab':
        return choose(trigger, optionsFor(trigger, sources)[Math.max(active, 0)], 'tab');
      default:
        return false;
    }
  };
  /** False where there is nothing to add: then Enter sends the line, and Tab moves on. */
  const choose = (trigger: Trigger, option: Option | undefined, key: 'enter' | 'tab'): boolean => {
    const adds = key === 'enter' ? option?.more : option?.insert.endsWith(' ');
    if (option && (adds || !isWhole(trigger, option))) {
      put(trigger, option);
      return true;
    }
    close();
    return false;
  };

  return {
    listId,
    trigger: options.length > 0 ? (shown?.trigger ?? null) : null,
    options,
    active,
    setActive,
    accept: (index) => {
      const trigger = triggerOf(box.current);
      const option = options[index];
      if (trigger && option) put(trigger, option);
      box.current?.focus();
    },
    sync,
    close,
    onKeyDown,
  };
}

function useSources(): Sources {
  const agents = useSettings()?.agents;
  const models = useModels();
  const checkpoints = useCheckpoints();
  return useMemo(
    () => ({ agents: agents ?? [], models: models ?? [], labels: checkpoints.map((checkpoint) => checkpoint.label) }),
    [agents, models, checkpoints],
  );
}

function useModelsWhen(wanted: boolean): void {
  const known = useModels() !== null;
  useEffect(() => {
    if (wanted && !known) void loadModels();
  }, [wanted, known]);
}

type Place = Pick<Trigger, 'kind' | 'from'>;
function isSame<T extends Place>(a: T | null, b: Place | null): a is T {
  return a !== null && b !== null && a.kind === b.kind && a.from === b.from;
}

/** Where a line may end without it, nothing is chosen until an arrow or a letter says so. */
const firstActive = ({ optional, query }: Trigger) => (optional && query === '' ? -1 : 0);

function triggerOf(element: HTMLTextAreaElement | null): Trigger | null {
  if (!element || element.selectionStart !== element.selectionEnd) return null;
  return triggerAt(element.value, element.selectionStart);
}

/** As if typed, so that undo takes it back; where the page cannot type, the value is set. */
function replaceText(element: HTMLTextAreaElement, from: number, insert: string, write: (text: string) => void): void {
  const caret = element.selectionStart;
  const spaced = insert.endsWith(' ') && /^\s/.test(element.value.slice(caret, caret + 1));
  const text = spaced ? insert.trimEnd() : insert;
  element.focus();
  element.setSelectionRange(from, caret);
  // `execCommand` is the one way to change a text box that its undo knows of.
  if (typeof document.execCommand === 'function' && document.execCommand('insertText', false, text)) return;
  element.setRangeText(text, from, caret, 'end');
  write(element.value);
}
