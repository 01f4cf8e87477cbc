// Imports as a window asks for them (I3, I4).
import { FailureError, makeFailure } from '../../../shared/model/failure';
import { base } from '../base';

export const importing = {
  choose: base.imports.choose.handler(async ({ input, context }) => {
    const { desktop, given } = context;
    // Refused before anybody looks for a file.
    context.workspace().write();
    const folder = input.folder ? await desktop.chooseFolder() : null;
    const paths = input.folder ? (folder === null ? [] : [folder]) : await desktop.chooseFiles();
    for (const path of paths) given.add(path);
    return paths;
  }),
  start: base.imports.start.handler(({ input, context }) => {
    const { imports } = context.workspace().write();
    const unknown = input.paths.find((path) => !context.given.has(path));
    if (unknown !== undefined)
      throw new FailureError(makeFailure('invalidInput', 'Nobody chose this file here.', { detail: { path: unknown } }));
    return imports.start(input, context);
  }),
  cancel: base.imports.cancel.handler(({ input, context }) => context.workspace().write().imports.cancel(input.importId)),
  report: base.imports.report.handler(({ context }) => context.workspace().imports()?.state() ?? { running: null, last: null }),
};
