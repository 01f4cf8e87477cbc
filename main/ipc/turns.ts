// What a person does that makes an answer run.
import { base } from './base';

export const turn = {
  start: base.turn.start.handler(({ input, context }) => context.workspace().write().scheduler.start(input)),
  edit: base.turn.edit.handler(({ input, context }) => context.workspace().write().scheduler.edit(input)),
  editAnswer: base.turn.editAnswer.handler(({ input, context }) => context.workspace().write().scheduler.editAnswer(input)),
  regenerate: base.turn.regenerate.handler(({ input, context }) => context.workspace().write().scheduler.regenerate(input)),
  continue: base.turn.continue.handler(({ input, context }) => context.workspace().write().scheduler.continue(input)),
  retry: base.turn.retry.handler(({ input, context }) => context.workspace().write().scheduler.retry(input)),
  stop: base.turn.stop.handler(({ input, context }) => context.workspace().write().scheduler.stop(input)),
};
