// checkpoint: the agent names the end of its present step, so that it can go back there (C1, C2). The row is written at the step's boundary.
import * as z from 'zod/mini';
import { checkpointLabel } from '../../../shared/model/checkpoint';
import { usedText } from '../../store/checkpointRows';
import { defineTool, type ToolContext, ToolError } from './common/definition';

export const checkpointInput = z.object({
  label: checkpointLabel.check(z.describe('A short name for this point, one line of at most 80 characters')),
});

export const checkpointTool = defineTool({
  name: 'checkpoint',
  description:
    'Names the point where this step ends, so that you can come back to it with rewind. Set one before you explore something that may lead nowhere or that will fill the context (reading many files, trying a fix). Files are not saved by it: only the conversation goes back.',
  input: checkpointInput,
  plan: ({ label }, context) => ({ needs: [], run: async () => set(label, context) }),
});

/** Asked and noted in one go: calls of a step may run at the same time. */
function set(label: string, { session }: ToolContext): { summary: string } {
  const live = session.checkpoints();
  if (live.some((one) => one.label === label)) throw new ToolError(usedText(label, live));
  session.note({ type: 'checkpoint', label });
  return { summary: `Checkpoint "${label}" is set when this step ends` };
}
