// What a message asks of the list that holds it.
import { createContext, useContext } from 'react';

export const ListContext = createContext<{ focusDepth(depth: number, act?: string): void }>({ focusDepth: () => undefined });
export const useList = () => useContext(ListContext);

/** True until the list's first view has been painted. */
export const FirstViewContext = createContext(false);
export const useIsFirstView = () => useContext(FirstViewContext);
