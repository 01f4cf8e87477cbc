// Escape stops the answer that is being written, when nothing nearer took the key.
import { useEffect } from 'react';
import type { StepId } from '../../../shared/model/ids';
import { stopTurn } from '../../state/talkActs';

export function useEscapeStops(running: StepId | null): void {
  useEffect(() => {
    if (running === null) return;
    const onKey = (event: KeyboardEvent) => {
      const composing = event.isComposing || event.keyCode === 229;
      if (event.key !== 'Escape' || event.defaultPrevented || composing || event.repeat) return;
      if (document.querySelector('[role="dialog"]:not([data-inline]), [role="alertdialog"], [role="menu"]')) return;
      event.preventDefault();
      void stopTurn(running);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [running]);
}
