// The tools by name, and the one way a call takes: arguments checked, planned, decided (A4), run with a time limit, its result made fit to keep.
// Nothing a tool does gets past it: it may throw, hang, flood or return binary data (R3).

import { FailureError } from '../../../shared/model/failure';
import type { ToolDefinition } from '../../../shared/model/request';
import type { ToolNeed, ToolResult } from '../../../shared/model/tool';
import { type ApprovalMode, decide } from './approvals/policy';
import { checkpointTool } from './checkpoint';
import { parseArguments } from './common/arguments';
import { errorResult, type Tool, type ToolContext, ToolError, type ToolPlan } from './common/definition';
import { finishResult } from './common/finishResult';
import { editFileTool } from './editFile';
import { fetchUrlTool } from './fetchUrl';
import { listFilesTool } from './listFiles';
import { readFileTool } from './readFile';
import { recallTool } from './recall';
import { rewindTool } from './rewind';
import { runCommandTool } from './runCommand';
import { searchFilesTool } from './searchFiles';
import { tasksListTool } from './tasks';
import { viewImageTool } from './viewImage';
import { writeFileTool } from './writeFile';

export const workspaceTools: readonly Tool[] = [
  readFileTool,
  listFilesTool,
  searchFilesTool,
  writeFileTool,
  editFileTool,
  runCommandTool,
  viewImageTool,
  fetchUrlTool,
];

/** Tools that act on the conversation, not on the disk; what they ask for happens when the step ends. */
const sessionTools: readonly Tool[] = [checkpointTool, rewindTool, recallTool, tasksListTool];

export const allTools: readonly Tool[] = [...workspaceTools, ...sessionTools];

/** What a model is told of the tools an agent has; names that no tool has are left out. */
export function describeTools(tools: readonly Tool[], names: readonly string[]): ToolDefinition[] {
  return tools
    .filter((tool) => names.includes(tool.name))
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

export type ToolCall = { name: string; arguments: string };
/** `grants`: scope keys allowed for this call or its conversation. `begin` is asked once before anything runs; false ends the call as cancelled. */
export type Permission = { mode: ApprovalMode; grants: ReadonlySet<string>; begin?: (() => Promise<boolean>) | undefined };
/** `ask`: nothing was run; call again with the keys of what was allowed. `durationMs` is the tool's own time. */
export type CallEnd =
  | { type: 'ask'; needs: ToolNeed[]; preview?: string | undefined }
  | { type: 'done'; result: ToolResult; durationMs: number };

/** How long a stopped tool has to hand over what it got so far; what it started is killed at once. */
const graceMs = 500;
const cancelled: ToolResult = { summary: 'Cancelled; it may have run', isError: true, outcome: 'cancelled' };

/** Never rejects. `tools` are those the agent has. */
export async function performCall(tools: readonly Tool[], call: ToolCall, permission: Permission, context: ToolContext): Promise<CallEnd> {
  const started = context.now();
  const done = async (result: ToolResult): Promise<CallEnd> => ({
    type: 'done',
    result: await finished(result, context),
    durationMs: Math.max(0, context.now() - started),
  });
  const deadline = new Deadline(context);
  try {
    let next = await deadline.race<ToolPlan | ToolResult>(planOf(tools, call, { ...context, signal: deadline.signal }));
    for (let begun = false; !('summary' in next); begun = true) {
      const decision = decide(permission.mode, next.needs, permission.grants);
      if (decision.type === 'ask') {
        const preview = await deadline.race(previewOf(next, context));
        if (typeof preview === 'object') return await done(preview);
        return preview === undefined ? { type: 'ask', needs: decision.needs } : { type: 'ask', needs: decision.needs, preview };
      }
      if (decision.type === 'refuse') return await done({ ...errorResult(decision.why), outcome: 'refused' });
      if (!begun && permission.begin && !(await permission.begin())) return await done(cancelled);
      next = await deadline.race(next.run());
    }
    return await done(next);
  } catch (error) {
    return await done(asResult(error, context));
  } finally {
    deadline.end();
  }
}

async function planOf(tools: readonly Tool[], call: ToolCall, context: ToolContext): Promise<ToolPlan> {
  const tool = tools.find((each) => each.name === call.name);
  if (tool === undefined) {
    const names = tools.map((each) => each.name).join(', ');
    throw new ToolError(`There is no tool ${call.name}. ${names === '' ? 'This agent has none.' : `There are: ${names}`}`);
  }
  return tool.plan(parseArguments(call.arguments), context);
}

/** A change that is too long to read is not shown in part: what is left out could matter most. */
const longestPreview = 20_000;

/** Whatever is in the way of it is no reason not to ask: the call says so itself when it runs. */
async function previewOf(plan: ToolPlan, context: ToolContext): Promise<string | undefined> {
  const text = await plan.preview?.().catch(() => undefined);
  const shown = text && context.hideKeys(text);
  return shown && shown.length <= longestPreview ? shown : undefined;
}

/** A tool's mistake or a failure of the disk is the model's to read; a bug is also reported. */
function asResult(error: unknown, context: ToolContext): ToolResult {
  // Whatever was thrown: of a bare object not even a text can be made.
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : 'it threw no error';
  if (error instanceof ToolError || error instanceof FailureError) return errorResult(message, message.length > 180 ? message : undefined);
  context.report(error);
  return errorResult(`The tool failed: ${message}`);
}

async function finished(result: ToolResult, context: ToolContext): Promise<ToolResult> {
  try {
    return await finishResult(result, context);
  } catch (error) {
    context.report(error);
    return errorResult('The tool ran, but its result could not be kept');
  }
}

/** The time of one call: over when the user stops it, or at its limit. */
class Deadline {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal;
  readonly #over: Promise<ToolResult>;
  #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #stop: () => void = () => undefined;

  constructor(context: ToolContext) {
    this.#outer = context.signal;
    this.#over = new Promise((resolve) => {
      const end = (result: ToolResult) => {
        this.#abort.abort(context.signal.reason);
        this.#grace ??= setTimeout(() => resolve(result), graceMs);
      };
      this.#stop = () => end(cancelled);
      this.#timer = setTimeout(
        () => end(errorResult(`The tool did not answer within ${context.limits.toolMs / 1000} s; it may have run`)),
        context.limits.toolMs,
      );
    });
    if (this.#outer.aborted) this.#stop();
    else this.#outer.addEventListener('abort', this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** What comes first. A tool that throws because it was stopped is cancelled, not broken. */
  race<T>(work: Promise<T>): Promise<T | ToolResult> {
    const guarded = work.catch((error: unknown) => {
      if (this.#abort.signal.aborted && error === this.#abort.signal.reason) return cancelled;
      throw error;
    });
    return Promise.race([guarded, this.#over]);
  }

  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#outer.removeEventListener('abort', this.#stop);
  }
}
