// Going to another workspace, in this window or in another one.
import { appState, showFailure, takeWorkspace } from './appSlice';
import { client } from './client';

export function openFolder(folder: string): void {
  void client().workspace.open({ folder }).then(takeWorkspace).catch(showFailure);
}
export function chooseFolder(newWindow: boolean): void {
  void client()
    .workspace.choose({ newWindow })
    .then((chosen) => chosen && !newWindow && takeWorkspace(chosen))
    .catch(showFailure);
}
/** Another window on this workspace. */
export function openNewWindow(): void {
  const { workspace } = appState();
  if (workspace) void client().workspace.open({ folder: workspace.folder, newWindow: true }).catch(showFailure);
}
export function revealFolder(): void {
  void client().workspace.reveal().catch(showFailure);
}
