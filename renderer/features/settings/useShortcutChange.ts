// Changing the keys of one command at a time: they are pressed, checked, and kept once nothing else has them (U6).
import { useEffect, useState } from 'react';
import { type KeysProblem, keysPressed, problemWithKeys } from '../../../shared/keys';
import { type ChosenKeys, commandOfKeys, usualKeys, type WindowCommandId, windowCommandOf } from '../../../shared/windowCommands';
import { isMac } from '../../platform';
import { client } from '../../state/client';
import { useChosenKeys } from '../../state/shortcutKeys';
import { useSave } from '../../state/useSave';

/** `fixed`: another command has these keys and keeps them; `taken`: it can be made to give them up. */
type Refusal = { why: KeysProblem } | { why: 'fixed' | 'taken'; by: WindowCommandId };
export type Question = { id: WindowCommandId; keys: string | null; refusal: Refusal | null };

function refusalOf(id: WindowCommandId, keys: string, chosen: ChosenKeys): Refusal | null {
  const has = commandOfKeys(keys, chosen, isMac)?.id ?? null;
  if (has !== null && has !== id) return { why: windowCommandOf(has)?.fixed ? 'fixed' : 'taken', by: has };
  const why = problemWithKeys(keys, isMac);
  return why === null ? null : { why };
}

function withKeys(chosen: ChosenKeys, id: WindowCommandId, keys: string | null): ChosenKeys {
  const { [id]: _old, ...others } = chosen;
  const entry = windowCommandOf(id);
  return entry && usualKeys(entry, isMac) === keys ? others : { ...others, [id]: keys };
}

export function useShortcutChange() {
  const chosen = useChosenKeys();
  const { failure, run } = useSave();
  const [question, setQuestion] = useState<Question | null>(null);
  const save = (shortcuts: ChosenKeys) => {
    setQuestion(null);
    void run(() => client().settings.savePreferences({ shortcuts }));
  };
  /** Keeps the keys, or says in place why not. */
  const propose = (id: WindowCommandId, keys: string) => {
    const refusal = refusalOf(id, keys, chosen);
    if (refusal) setQuestion({ id, keys, refusal });
    else save(withKeys(chosen, id, keys));
  };
  useEffect(() => {
    if (!question) return;
    const { id } = question;
    const onKeyDown = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      // The buttons of the question are reached and pressed as ever.
      if (question.refusal && plain && ['Tab', 'Enter', 'Space'].includes(event.code)) return;
      if (event.code === 'Tab' && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const keys = keysPressed(event, isMac);
      if (keys === 'Escape') setQuestion(null);
      else if (keys !== null) propose(id, keys);
    };
    // Before the dialog, whose Escape closes it.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  });
  return {
    chosen,
    question,
    failure,
    ask: (id: WindowCommandId) => setQuestion({ id, keys: null, refusal: null }),
    cancel: () => setQuestion(null),
    remove: (id: WindowCommandId) => save(withKeys(chosen, id, null)),
    reset: (id: WindowCommandId) => {
      const entry = windowCommandOf(id);
      const usual = entry ? usualKeys(entry, isMac) : null;
      const { [id]: _old, ...others } = chosen;
      const taken = usual === null ? null : refusalOf(id, usual, others);
      if (usual !== null && taken?.why === 'taken') setQuestion({ id, keys: usual, refusal: taken });
      else save(others);
    },
    /** What this version does not know is not touched. */
    resetAll: () => save(Object.fromEntries(Object.entries(chosen).filter(([id]) => windowCommandOf(id) === undefined))),
    replace: () => {
      if (question?.keys == null || question.refusal?.why !== 'taken') return;
      save(withKeys(withKeys(chosen, question.refusal.by, null), question.id, question.keys));
    },
  };
}
export type ShortcutChange = ReturnType<typeof useShortcutChange>;
