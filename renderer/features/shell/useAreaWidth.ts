// How wide an area beside the talk is, and how wide it may become, in pixels at the text size in use.
import { useEffect, useState } from 'react';
import { type Area, areaWidths, useLayoutState } from '../../state/layoutSlice';

/** The least the talk keeps, in pixels at normal text size. */
const talkAtLeast = 400;

/** `wished`: as it was dragged. `width`: what of it the window has room for beside the talk. */
type AreaWidth = { wished: number; width: number; least: number; most: number; usual: number };

export function useAreaWidth(area: Area, scale: number): AreaWidth {
  const { sidebarOpen, sidebarWidth, panelOpen, panelWidth } = useLayoutState();
  const windowWidth = useWindowWidth();
  const { usual, min, max } = areaWidths[area];
  const isSidebar = area === 'sidebar';
  const wished = (isSidebar ? sidebarWidth : panelWidth) * scale;
  const isOtherOpen = isSidebar ? panelOpen : sidebarOpen;
  const other = (isOtherOpen ? (isSidebar ? panelWidth : sidebarWidth) : 0) * scale;
  const least = min * scale;
  const most = Math.max(least, Math.min(max * scale, windowWidth - other - talkAtLeast * scale));
  return { wished, width: Math.min(wished, most), least, most, usual: usual * scale };
}

/** In CSS pixels, as it changes. */
function useWindowWidth(): number {
  const [width, setWidth] = useState(window.innerWidth);
  useEffect(() => {
    const measure = () => setWidth(window.innerWidth);
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  return width;
}
