// What a text needs from the window around it, handed down once so that blocks stay memoised.
import { createContext, useContext } from 'react';

export type TextHost = {
  /** Puts text on the clipboard; resolves to false when that failed. */
  copy: (text: string) => Promise<boolean>;
  /** Called each time React renders a block, with its key: for benchmarks and tests. */
  onBlockRender: ((key: string) => void) | undefined;
  /** Long code starts folded. Off for an answer that was watched while it was written: its text must not jump. */
  fold: boolean;
};

export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Refused by the system or by a lost focus; the button says so.
    return false;
  }
}

export const TextHostContext = createContext<TextHost>({ copy: copyToClipboard, onBlockRender: undefined, fold: true });

export function useTextHost(): TextHost {
  return useContext(TextHostContext);
}
