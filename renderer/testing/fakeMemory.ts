// What an agent remembers, answered from main in memory: nothing, until a test says otherwise in `answers`.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { emptyMemoryView, type MemoryMarks, type MemoryView, type PassEnd } from '../../shared/model/memoryView';

const orpc = implement(contract);
type Where = { conversationId: ConversationId; agentId: AgentId | null };

export function emptyMemory({ conversationId, agentId }: Where): MemoryView {
  return emptyMemoryView({ conversationId, agentId: agentId ?? ('helper' as AgentId), agentName: 'Helper' });
}

/** A test's own answers go through `main.answers`. */
export function memoryArea() {
  const view = ({ input }: { input: Where }) => emptyMemory(input);
  const nothing = (): PassEnd => ({ type: 'nothing', failures: [] });
  return {
    view: orpc.memory.view.handler(view),
    marks: orpc.memory.marks.handler(({ input }): MemoryMarks => {
      const { conversationId, agentId, agentName } = emptyMemory(input);
      return { conversationId, agentId, agentName, marks: [], running: null };
    }),
    sources: orpc.memory.sources.handler(() => []),
    preview: orpc.memory.preview.handler(() => []),
    compact: orpc.memory.compact.handler(nothing),
    shake: orpc.memory.shake.handler(nothing),
    stop: orpc.memory.stop.handler(() => undefined),
    undo: orpc.memory.undo.handler(view),
    redo: orpc.memory.redo.handler(view),
    edit: orpc.memory.edit.handler(view),
    resume: orpc.memory.resume.handler(view),
  };
}
