// The window: which of its states it is in, and its three areas side by side.
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './App.module.css';
import { WhyNot } from './features/composer/CommandOutcome';
import { Composer } from './features/composer/Composer';
import { Files } from './features/files/Files';
import { ForkDialog } from './features/fork/ForkDialog';
import { ForkOrigin } from './features/fork/ForkOrigin';
import { Palette } from './features/palette/Palette';
import { FindBar } from './features/search/FindBar';
import { SearchResults } from './features/search/SearchResults';
import { useFoundMark } from './features/search/useFoundMark';
import { AreaBoundary } from './features/shell/AreaBoundary';
import { Banners } from './features/shell/Banners';
import { LiveRegion } from './features/shell/LiveRegion';
import { Notices } from './features/shell/Notices';
import { SideArea } from './features/shell/SideArea';
import { SidePanel } from './features/shell/SidePanel';
import { TalkHeader } from './features/shell/TalkHeader';
import { useAppearance } from './features/shell/useAppearance';
import { useShortcuts } from './features/shell/useShortcuts';
import { useWindowTitle } from './features/shell/useWindowTitle';
import { Sidebar } from './features/sidebar/Sidebar';
import { AgentChip } from './features/talk/AgentChip';
import { Talk } from './features/talk/Talk';
import { TalkTitle } from './features/talk/TalkTitle';
import { ExportButton } from './features/transfer/ExportButton';
import { ImportRow } from './features/transfer/ImportRow';
import { DeleteDialog } from './features/trash/DeleteDialog';
import { TrashView } from './features/trash/TrashView';
import { WorkspaceFailed } from './features/workspaceState/WorkspaceFailed';
import { usePanel, useSettings, useWorkspace } from './state/appSlice';
import { useCompareQuestion } from './state/compareSlice';
import { noteSeen } from './state/conversationsSlice';
import { useExportQuestion } from './state/exportSlice';
import { useImportOpen } from './state/importSlice';
import { restoreLayout, useAreaOpen, useLayoutState } from './state/layoutSlice';
import { useConversationId } from './state/talkSlice';
import { newConversation } from './state/windowActs';
import { TooltipLayer } from './ui/TooltipLayer';

const Memory = lazy(() => import('./features/memory/Memory').then(({ Memory }) => ({ default: Memory })));
const Navigator = lazy(() => import('./features/navigator/Navigator').then(({ Navigator }) => ({ default: Navigator })));
const Settings = lazy(() => import('./features/settings/Settings').then(({ Settings }) => ({ default: Settings })));
const CompareDialog = lazy(() => import('./features/compare/CompareDialog').then(({ CompareDialog }) => ({ default: CompareDialog })));
const ExportDialog = lazy(() => import('./features/transfer/ExportDialog').then(({ ExportDialog }) => ({ default: ExportDialog })));
const ImportDialog = lazy(() => import('./features/transfer/ImportDialog').then(({ ImportDialog }) => ({ default: ImportDialog })));
const Onboarding = lazy(() => import('./features/onboarding/Onboarding').then(({ Onboarding }) => ({ default: Onboarding })));

/** Nothing stands in its place until its script is there. */
function Late({ children }: { children: ReactNode }) {
  return <Suspense fallback={null}>{children}</Suspense>;
}

export function App() {
  const scale = useAppearance();
  useShortcuts();
  useKeptLayout();
  useWindowTitle();
  useFoundMark();
  const workspace = useWorkspace();
  const settings = useSettings();
  const panel = usePanel();
  const exporting = useExportQuestion() !== null;
  const comparing = useCompareQuestion() !== null;
  const importing = useImportOpen();
  return (
    <>
      <View
        scale={scale}
        ready={workspace !== null && settings !== null}
        failed={workspace?.status === 'failed'}
        onboarding={panel === 'onboarding'}
      />
      {panel === 'settings' ? (
        <Late>
          <Settings />
        </Late>
      ) : null}
      {exporting ? (
        <Late>
          <ExportDialog />
        </Late>
      ) : null}
      {importing ? (
        <Late>
          <ImportDialog />
        </Late>
      ) : null}
      {comparing ? (
        <Late>
          <CompareDialog />
        </Late>
      ) : null}
      <DeleteDialog />
      <TrashView />
      <ForkDialog />
      <Palette explain={(outcome) => <WhyNot outcome={outcome} />} />
      <LiveRegion />
      <TooltipLayer />
    </>
  );
}

function View({ scale, ready, failed, onboarding }: { scale: number; ready: boolean; failed: boolean; onboarding: boolean }) {
  if (!ready) return null;
  // Nothing can be set up in a workspace that is not there.
  if (failed) return <WorkspaceFailed />;
  if (onboarding) {
    return (
      <Late>
        <Onboarding />
      </Late>
    );
  }
  return <Areas scale={scale} />;
}

/** Takes the workspace's widths once it is known, and again when another one is opened here. */
function useKeptLayout(): void {
  const folder = useWorkspace()?.folder;
  const kept = useSettings()?.workspace.interface;
  const restored = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (folder === undefined || !kept || restored.current === folder) return;
    restored.current = folder;
    restoreLayout(kept);
  }, [folder, kept]);
  const open = useConversationId();
  useEffect(() => {
    if (open) noteSeen(open);
  }, [open]);
}

function Areas({ scale }: { scale: number }) {
  const { t } = useTranslation('app');
  const { narrow, over } = useLayoutState();
  const sidebarOpen = useAreaOpen('sidebar');
  const panelOpen = useAreaOpen('panel');
  return (
    <div className={styles.window}>
      {sidebarOpen ? (
        <SideArea area="sidebar" scale={scale} narrow={narrow} label={t('areas.sidebar')}>
          <AreaBoundary name={t('areas.sidebar')}>
            <Sidebar onNew={newConversation} found={<SearchResults />} tasks={<ImportRow />} />
          </AreaBoundary>
        </SideArea>
      ) : null}
      <main className={styles.talk} aria-label={t('areas.talk')} inert={over !== null}>
        <TalkHeader>
          <TalkTitle />
          <ForkOrigin />
          <AgentChip />
          <ExportButton />
        </TalkHeader>
        <Banners />
        <Notices />
        <AreaBoundary name={t('areas.talk')}>
          <FindBar />
          <Talk />
          <Composer />
        </AreaBoundary>
      </main>
      {panelOpen ? (
        <SideArea area="panel" scale={scale} narrow={narrow} label={t('areas.panel')}>
          <AreaBoundary name={t('areas.panel')}>
            <SidePanel
              branches={
                <Late>
                  <Navigator />
                </Late>
              }
              memory={
                <Late>
                  <Memory />
                </Late>
              }
              files={<Files />}
            />
          </AreaBoundary>
        </SideArea>
      ) : null}
    </div>
  );
}
