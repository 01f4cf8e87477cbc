// What a screen reader is told about a turn: its start, its end, an error; never the text while it streams (U7).
import { create } from 'zustand';

export type Announcement = 'started' | 'ended' | 'failed' | 'needsYou';
const useAnnouncement = create<{ what: Announcement | null; count: number }>(() => ({ what: null, count: 0 }));

export const useAnnounced = () => useAnnouncement();
export function announce(what: Announcement): void {
  useAnnouncement.setState((state) => ({ what, count: state.count + 1 }));
}
