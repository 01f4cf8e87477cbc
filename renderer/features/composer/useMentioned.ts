// The names of the agents that the text in the box addresses, in the order in which they will answer (A1).
import { useDeferredValue, useMemo } from 'react';
import { mentionedAgents } from '../../../shared/mentions';
import { useSettings } from '../../state/appSlice';
import { useDraftText } from '../../state/composerSlice';

export function useMentioned(): string[] {
  // Reading a megabyte takes longer than a key may: the letters are on screen before.
  const text = useDeferredValue(useDraftText());
  const agents = useSettings()?.agents;
  return useMemo(() => {
    const known = agents ?? [];
    return mentionedAgents(text, known).flatMap((id) => known.find((agent) => agent.id === id)?.name ?? []);
  }, [text, agents]);
}
