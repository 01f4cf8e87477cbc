// tasks: the agent's list of open and done work; where it stands is found by `tasksOnPath` (A2).
import { taskLines, taskListSchema, tasksTool } from '../../context/tasks';
import { defineTool, textResult } from './common/definition';

export const tasksListTool = defineTool({
  name: tasksTool,
  description:
    'Keeps your list of work for the user to see. Use it for work of three or more parts: write the list before you begin, send it again when a part is begun or done or something new turns up, and keep at most one task "doing". Each call replaces the whole list. Not needed for a single short task.',
  input: taskListSchema,
  plan: ({ tasks }) => ({
    needs: [],
    run: async () => {
      if (tasks.length === 0) return { summary: 'The task list is empty' };
      const done = tasks.filter((task) => task.state === 'done').length;
      return textResult(`${done} of ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} done`, taskLines(tasks));
    },
  }),
});
