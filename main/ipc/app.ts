// The program itself: facts, the one opener, the clipboard, and the stream of events.
import { FailureError, makeFailure } from '../../shared/model/failure';
import { base } from './base';

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
    // Nothing runs in a workspace that cannot be written.
    workspace.agents()?.running.tell();
    return events;
  }),
};
