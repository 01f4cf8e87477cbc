// rewind: the agent goes back to a checkpoint and takes along only what it found out (C1, C3). It happens at the step's boundary.
import * as z from 'zod/mini';
import { checkpointLabel } from '../../../shared/model/checkpoint';
import { unknownText } from '../../store/checkpointRows';
import { defineTool, type ToolContext, ToolError } from './common/definition';

export const rewindInput = z.object({
  label: checkpointLabel.check(z.describe('The label of the checkpoint')),
  digest: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Say what you found out'),
      z.maxLength(20_000),
      z.describe('What you found out since the checkpoint, with everything you still need: at most 20000 characters'),
    ),
});

export const rewindTool = defineTool({
  name: 'rewind',
  description:
    'Goes back to a checkpoint when this step ends: the steps since then leave your context, and only the digest comes along. Use it when an exploration is over, whether it led somewhere or not. Put into the digest what you learned, which files you changed, and what is to be done next. Changed files stay changed.',
  input: rewindInput,
  plan: ({ label }, context) => ({ needs: [], run: async () => goBack(label, context) }),
});

/** Asked and noted in one go: calls of a step may run at the same time. */
function goBack(label: string, { session }: ToolContext): { summary: string } {
  const asked = session.asked();
  const earlier = asked.find((one) => one.type === 'rewind');
  if (earlier) throw new ToolError(`This step goes back to checkpoint "${earlier.label}" already. Only one rewind a step.`);
  const ownStep = new Set(asked.map((one) => one.label));
  if (ownStep.has(label))
    throw new ToolError(
      `Checkpoint "${label}" is set when this step ends, so there is nothing to go back from yet. Rewind in a later step.`,
    );
  const live = session.checkpoints().filter((one) => !ownStep.has(one.label));
  if (!live.some((one) => one.label === label)) throw new ToolError(unknownText(label, live));
  session.note({ type: 'rewind', label });
  return { summary: `Going back to checkpoint "${label}" at the end of this step` };
}
