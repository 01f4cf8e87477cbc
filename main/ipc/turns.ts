// What a person does that makes an answer run.
import { base } from './base';

export const turn = {
  start: base.turn.start.handler(({ input, context }) => context.workspace().write().agents.scheduler.start(input)),
  edit: base.turn.edit.handler(({ input, context }) => context.workspace().write().agents.scheduler.edit(input)),
  editAnswer: base.turn.editAnswer.handler(({ input, context }) => context.workspace().write().agents.scheduler.editAnswer(input)),
  regenerate: base.turn.regenerate.handler(({ input, context }) => context.workspace().write().agents.scheduler.regenerate(input)),
  continue: base.turn.continue.handler(({ input, context }) => context.workspace().write().agents.scheduler.continue(input)),
  retry: base.turn.retry.handler(({ input, context }) => context.workspace().write().agents.scheduler.retry(input)),
  stop: base.turn.stop.handler(({ input, context }) => context.workspace().write().agents.running.stop(input)),
};
