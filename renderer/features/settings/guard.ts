// Keeps typed but unsaved values from being dropped by a click elsewhere: whoever leaves asks the guard first.
import { createContext, useContext, useEffect } from 'react';

export type Guard = { setDirty(dirty: boolean): void; leave(act: () => void): void };

export const GuardContext = createContext<Guard>({ setDirty: () => undefined, leave: (act) => act() });

/** Marks this editor as having unsaved values while it is shown. */
export function useGuard(dirty: boolean): Guard {
  const guard = useContext(GuardContext);
  useEffect(() => {
    guard.setDirty(dirty);
    return () => guard.setDirty(false);
  }, [guard, dirty]);
  return guard;
}
