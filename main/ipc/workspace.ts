// The workspace of the window, and what can be done when it does not open (W1, W4).
import { FailureError, makeFailure } from '../../shared/model/failure';
import { base } from './base';

export const workspace = {
  state: base.workspace.state.handler(({ context }) => context.workspace().state()),
  recent: base.workspace.recent.handler(({ context }) => context.recentWorkspaces()),
  choose: base.workspace.choose.handler(async ({ input, context }) => {
    const folder = await context.desktop.chooseFolder();
    return folder === null ? null : context.openWorkspace(folder, { newWindow: input.newWindow });
  }),
  open: base.workspace.open.handler(({ input, context }) => {
    if (input.folder.trim() === '') throw new FailureError(makeFailure('invalidInput', 'Name a folder.'));
    return context.openWorkspace(input.folder, { readOnly: input.readOnly, newWindow: input.newWindow });
  }),
  retry: base.workspace.retry.handler(({ context }) => context.reopenWorkspace({})),
  restoreBackup: base.workspace.restoreBackup.handler(async ({ input, context }) => {
    const worked = context.workspace().state().status !== 'failed';
    try {
      await context.workspace().restoreBackup(input.name);
    } catch (error) {
      // The database is as it was. A window that had it open needs it open again; one that showed the trouble shows this one too.
      if (worked) await context.reopenWorkspace({});
      throw error;
    }
    return context.reopenWorkspace({});
  }),
  reveal: base.workspace.reveal.handler(({ context }) => context.desktop.reveal(context.workspace().state().folder)),
  saveInterface: base.workspace.saveInterface.handler(({ input, context }) => context.workspace().saveInterface(input)),
};
