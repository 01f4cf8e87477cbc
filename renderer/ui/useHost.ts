// Where what floats is put in the page: into the landmark or dialog of its button, so that a screen reader finds it there.
import { useRef, useState } from 'react';

const landmarks = '[role="dialog"], [role="alertdialog"], main, aside, nav';

/** Ask `find` when it opens; `host` is for the portal. */
export function useHost<T extends HTMLElement>() {
  const trigger = useRef<T>(null);
  const [host, setHost] = useState<HTMLElement | null>(null);
  const find = () => setHost(trigger.current?.closest<HTMLElement>(landmarks) ?? null);
  return { trigger, host, find };
}
