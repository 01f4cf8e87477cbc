// The task list of an agent (A2): each call of `tasks` replaces it whole, so the newest call on a path that succeeded is what stands. Pure.
import * as z from 'zod/mini';
import type { Step } from '../../shared/model/transcript';
import { readCallArguments } from '../lib/callArguments';

export const tasksTool = 'tasks';

const taskText = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(300),
    z.regex(/^[^\n\r]*$/, 'must be one line'),
    z.describe('One line, at most 300 characters'),
  );
export const taskListSchema = z.object({
  tasks: z
    .array(z.object({ text: taskText, state: z.enum(['open', 'doing', 'done']) }))
    .check(z.maxLength(100), z.describe('The whole list in order, at most 100; an empty one clears it')),
});
export type Task = z.output<typeof taskListSchema>['tasks'][number];

/** The list that stands at the end of a path, given the agent's steps along it, oldest first; undefined when there never was one. */
export function tasksOnPath(steps: readonly Pick<Step, 'content' | 'results'>[]): readonly Task[] | undefined {
  for (const step of [...steps].reverse()) {
    const tasks = tasksOfStep(step);
    if (tasks) return tasks;
  }
  return undefined;
}

function tasksOfStep(step: Pick<Step, 'content' | 'results'>): readonly Task[] | undefined {
  const succeeded = new Set(step.results.filter((result) => !result.isError).map((result) => result.callId));
  for (const part of [...step.content].reverse()) {
    if (part.type !== 'toolCall' || part.name !== tasksTool || !succeeded.has(part.callId)) continue;
    const read = readCallArguments(part.arguments);
    const list = 'value' in read ? taskListSchema.safeParse(read.value).data : undefined;
    if (list) return list.tasks;
  }
  return undefined;
}

/** As Markdown task lines; Markdown knows no mark for a task that is being done, so it is said in words. */
export function taskLines(tasks: readonly Task[]): string {
  return tasks
    .map(({ text, state }) => `- [${state === 'done' ? 'x' : ' '}] ${text}${state === 'doing' ? ' (in progress)' : ''}`)
    .join('\n');
}
