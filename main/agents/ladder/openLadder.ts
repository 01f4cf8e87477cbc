// The ladder of a workspace, and how a turn asks for its requests.
import type { Agent } from '../../../shared/model/agent';
import type { LiveStep } from '../../../shared/model/live';
import type { Asked } from '../answering';
import type { TurnDeps } from '../runTurn';
import { Ladder } from './ladder';
import type { LadderDeps } from './ladderDeps';
import { MemoryActs } from './memoryActs';
import { type LooksDeps, MemoryLooks } from './memoryLooks';

export type OpenLadder = { looks: MemoryLooks; memory: MemoryActs; turn: Pick<TurnDeps, 'requestFor' | 'recover'>; close(): Promise<void> };

export function openLadder(deps: LadderDeps & Pick<LooksDeps, 'toolsOf' | 'reading'>): OpenLadder {
  const ladder = new Ladder(deps);
  const asked = ({ parentId }: LiveStep, agent: Agent, model: Asked['model']): Asked => ({
    parentId,
    agent,
    model,
    tools: deps.toolsOf(agent),
  });
  const looks = new MemoryLooks({ ...deps, gauge: ladder });
  return {
    looks,
    memory: new MemoryActs({ ...deps, ladder, looks }),
    turn: {
      requestFor: (step, agent, model, signal) => ladder.requestFor(step.conversationId, asked(step, agent, model), signal),
      recover: (step, agent, model, failure, signal) => ladder.recover(step.conversationId, asked(step, agent, model), failure, signal),
    },
    close: () => ladder.close(),
  };
}
