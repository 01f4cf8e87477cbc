// What the agent remembers, as a window asks for it (L, M).
import { base } from './base';
import type { WindowContext } from './context';

const never = new AbortController().signal;
const looksOf = (context: WindowContext) => context.workspace().memory();
const memoryOf = (context: WindowContext) => context.workspace().write().agents.memory;

export const memory = {
  view: base.memory.view.handler(({ input, context }) => looksOf(context).view(input)),
  marks: base.memory.marks.handler(({ input, context }) => looksOf(context).marks(input)),
  sources: base.memory.sources.handler(({ input, context }) => looksOf(context).sources(input, input.recordId, input.line)),
  preview: base.memory.preview.handler(({ input, context }) => looksOf(context).preview(input)),
  compact: base.memory.compact.handler(({ input, context, signal = never }) => memoryOf(context).compact(input, input, signal)),
  shake: base.memory.shake.handler(({ input, context, signal = never }) => memoryOf(context).shake(input, input.what, signal)),
  stop: base.memory.stop.handler(({ input, context }) => memoryOf(context).stop(input)),
  undo: base.memory.undo.handler(({ input, context }) => memoryOf(context).undo(input, input.recordId)),
  redo: base.memory.redo.handler(({ input, context }) => memoryOf(context).redo(input, input.recordId)),
  edit: base.memory.edit.handler(({ input, context }) => memoryOf(context).edit(input, input.recordId, input.text)),
  resume: base.memory.resume.handler(({ input, context }) => memoryOf(context).resume(input)),
};
