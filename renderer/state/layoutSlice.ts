// The three areas: which are open and how wide, kept per workspace; in a narrow window one at a time lies over the talk.
import { create } from 'zustand';
import type { NavigatorView, PanelTab, WorkspaceSettings } from '../../shared/model/settings';
import { failureOf } from '../bridge';
import { catchFocus, focusIsNowhere } from '../focusEvents';
import { showFailure } from './appSlice';
import { client } from './client';

export type Area = 'sidebar' | 'panel';
export const areaWidths = { sidebar: { usual: 264, min: 200, max: 420 }, panel: { usual: 348, min: 260, max: 640 } } as const;
/** Below this width (CSS pixels at normal text size) the talk needs all of it. */
export const narrowBelow = 900;

type LayoutState = {
  sidebarOpen: boolean;
  panelOpen: boolean;
  /** Pixels at normal text size. */
  sidebarWidth: number;
  panelWidth: number;
  narrow: boolean;
  /** The area that lies over the talk in a narrow window. */
  over: Area | null;
  panelTab: PanelTab;
  navigatorView: NavigatorView;
};

const useLayout = create<LayoutState>(() => ({
  sidebarOpen: true,
  panelOpen: false,
  sidebarWidth: areaWidths.sidebar.usual,
  panelWidth: areaWidths.panel.usual,
  narrow: false,
  over: null,
  panelTab: 'branches',
  navigatorView: 'outline',
}));

export const usePanelTab = () => useLayout((state) => state.panelTab);
export function setPanelTab(panelTab: PanelTab): void {
  if (useLayout.getState().panelTab === panelTab) return;
  useLayout.setState({ panelTab });
  keep({ panelTab });
}
export const useNavigatorView = () => useLayout((state) => state.navigatorView);
export function setNavigatorView(navigatorView: NavigatorView): void {
  useLayout.setState({ navigatorView });
  keep({ navigatorView });
}
export const useLayoutState = () => useLayout();
export const useAreaOpen = (area: Area) => useLayout((state) => isOpen(state, area));

function isOpen(state: LayoutState, area: Area): boolean {
  if (state.narrow) return state.over === area;
  return area === 'sidebar' ? state.sidebarOpen : state.panelOpen;
}

/** Takes what the workspace kept. */
export function restoreLayout(kept: WorkspaceSettings['interface']): void {
  const width = (area: Area, value: number | undefined) =>
    value === undefined ? areaWidths[area].usual : Math.max(areaWidths[area].min, Math.min(value, areaWidths[area].max));
  useLayout.setState({
    sidebarOpen: kept.sidebarOpen ?? true,
    panelOpen: kept.panelOpen ?? false,
    sidebarWidth: width('sidebar', kept.sidebarWidth),
    panelWidth: width('panel', kept.panelWidth),
    panelTab: kept.panelTab ?? 'branches',
    navigatorView: kept.navigatorView ?? 'outline',
  });
}

export function setNarrow(narrow: boolean): void {
  if (useLayout.getState().narrow !== narrow) useLayout.setState({ narrow, over: null });
}

export function setAreaOpen(area: Area, open: boolean): void {
  const state = useLayout.getState();
  if (!open && !focusIsNowhere()) catchFocus();
  if (state.narrow) {
    if (open) useLayout.setState({ over: area });
    else if (state.over === area) useLayout.setState({ over: null });
    return;
  }
  const change = area === 'sidebar' ? { sidebarOpen: open } : { panelOpen: open };
  useLayout.setState(change);
  keep(change);
}
export function toggleArea(area: Area): void {
  setAreaOpen(area, !isOpen(useLayout.getState(), area));
}
/** In a narrow window the talk comes back once something was chosen. */
export function uncoverTalk(): void {
  if (useLayout.getState().over) useLayout.setState({ over: null });
}

export function setAreaWidth(area: Area, width: number): void {
  useLayout.setState(area === 'sidebar' ? { sidebarWidth: width } : { panelWidth: width });
}
export function keepAreaWidth(area: Area, width: number): void {
  keep(area === 'sidebar' ? { sidebarWidth: width } : { panelWidth: width });
}

function keep(change: Parameters<ReturnType<typeof client>['workspace']['saveInterface']>[0]): void {
  void client()
    .workspace.saveInterface(change)
    .catch((error: unknown) => {
      if (failureOf(error).code !== 'workspaceReadOnly') showFailure(error);
    });
}
