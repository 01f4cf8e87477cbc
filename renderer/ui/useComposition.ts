// Input methods compose text before it is committed: the Enter that picks a candidate must never send, save or close anything.
import { type CompositionEvent, type KeyboardEvent, useMemo, useRef } from 'react';

type Composition = {
  /** Spread on the text box. */
  handlers: { onCompositionStart(event: CompositionEvent): void; onCompositionEnd(event: CompositionEvent): void };
  /** True for keys that belong to the input method. */
  owns(event: KeyboardEvent): boolean;
};

/**
 * Browsers tell it in different ways: `isComposing`, the key code 229 (Safari ends the composition before its Enter arrives, with
 * this code), or the composition events alone.
 */
export function useComposition(): Composition {
  const composing = useRef(false);
  return useMemo(
    () => ({
      handlers: {
        onCompositionStart: () => {
          composing.current = true;
        },
        onCompositionEnd: () => {
          composing.current = false;
        },
      },
      owns: (event) => composing.current || event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229,
    }),
    [],
  );
}
