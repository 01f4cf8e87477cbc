// The turns at which memory is anchored (U5), asked for while they are what is shown: places in an outline hold for that outline alone, so both
// are given together, the last known ones until there are newer ones.
import { useEffect, useState } from 'react';
import type { Outline } from '../../../shared/model/outline';
import { byRun, type Hits, rememberedTurns } from '../../state/outlineHits';

type Known = { outline: Outline; hits: Hits };

/** Null while nothing is known. */
export function useRemembered(outline: Outline | null, wanted: boolean): Known | null {
  const [known, setKnown] = useState<Known | null>(null);
  useEffect(() => {
    if (!wanted || !outline) {
      setKnown(null);
      return;
    }
    let current = true;
    void rememberedTurns().then((found) => {
      if (current && found) setKnown({ outline, hits: byRun(found) });
    });
    return () => {
      current = false;
    };
  }, [outline, wanted]);
  return wanted ? known : null;
}
