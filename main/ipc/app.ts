// The program itself: facts, the one opener, the clipboard, and the stream of events.
import { FailureError, makeFailure } from '../../shared/model/failure';
import { listLiveSteps } from '../store/liveSteps';
import { base } from './base';
import type { WorkspaceAccess } from './context';

export const app = {
  info: base.app.info.handler(({ context }) => context.info()),
  openExternal: base.app.openExternal.handler(({ input, context }) => {
    if (!context.desktop.openExternal(input.url)) {
      throw new FailureError(
        makeFailure('invalidInput', 'Only web and mail addresses are opened.', { detail: { url: input.url.slice(0, 200) } }),
      );
    }
  }),
  copyText: base.app.copyText.handler(({ input, context }) => context.desktop.copyText(input.text)),
};

export const events = {
  subscribe: base.events.subscribe.handler(({ context, signal }) => {
    const workspace = context.workspace();
    const events = workspace.hub.subscribe(signal);
    tellWaiting(workspace);
    return events;
  }),
};

/** A window that opens after a call began to wait for the user's word is told of it, whatever conversation it is in (A4). Told twice it changes nothing. */
function tellWaiting(workspace: WorkspaceAccess): void {
  // Nothing runs in a workspace that cannot be written.
  if (!workspace.agents()) return;
  for (const { id, conversationId, calls } of listLiveSteps(workspace.read().db)) {
    for (const call of calls) if (call.needs) workspace.hub.publish({ type: 'callChanged', stepId: id, conversationId, call });
  }
}
