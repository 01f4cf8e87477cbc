// Slices outlive a test file: this puts back what one window's tests may have changed for the next.
import { appState, closePanel, dismissNotice } from '../state/appSlice';
import { resetConversations } from '../state/conversationsSlice';
import { closeFind } from '../state/findSlice';
import { restoreLayout, setNarrow } from '../state/layoutSlice';
import { forgetMapPlaces } from '../state/mapPlaces';
import { resetPalette } from '../state/paletteSlice';
import { resetSearch } from '../state/searchSlice';

export function resetWindow(): void {
  for (const notice of appState().notices) dismissNotice(notice.key);
  closePanel();
  setNarrow(false);
  restoreLayout({});
  resetConversations();
  resetSearch();
  resetPalette();
  closeFind();
  forgetMapPlaces();
}
