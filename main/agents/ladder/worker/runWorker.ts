// The disposable agent that writes a card and chooses files (M5): a loop of model calls within its own budget. What it says and does reaches nothing
// but its desk, and it ends whatever its model does.
import type { Failure } from '../../../../shared/model/failure';
import type { RunningPass } from '../../../../shared/model/memoryView';
import type { Usage } from '../../../../shared/model/message';
import type { RequestMessage, ToolDefinition } from '../../../../shared/model/request';
import type { StepPart, StepResult } from '../../../../shared/model/transcript';
import type { CardFault } from '../../../context/card/faults';
import { faultLines } from '../../../context/card/prompts';
import { builtTokens, fixedTokens } from '../../../context/requestSize';
import { stepMessages } from '../../../context/stepMessages';
import type { ModelAccess } from '../../modelAccess';
import type { Tool } from '../../tools/common/definition';
import { askWorker, type WorkerAnswer } from './askWorker';
import type { WorkerBudget } from './budget';
import { runWorkerCall, type WorkerPlace } from './runWorkerCall';
import type { WorkerDesk } from './workerDesk';
import { workerTools } from './workerTools';

export type WorkerRun = {
  models: Pick<ModelAccess, 'reach'>;
  place: WorkerPlace;
  /** `providerId/modelId`. */
  model: string;
  prompt: { system: string; user: string };
  budget: WorkerBudget;
  desk: WorkerDesk;
  /** Whether there are files to choose from. */
  hasFiles: boolean;
  /** Milliseconds for each answer. */
  timeLimit: number;
  onWorker(worker: RunningPass['worker']): void;
};
/** `read`: what files showed it. `refused`: codes of failures and faults, in their order. `failure`: what ended it, where something did. */
export type WorkerEnd = { usages: Usage[]; read: string[]; refused: string[]; failure: Failure | null };

/** Characters of one answer for each token that a card may have. */
const mostAnswer = 12;
const leastAnswer = 20_000;
/** Steps that are left when it is told to finish. */
const lastSteps = 2;
const usualCalls = 12;

type Call = Extract<StepPart, { type: 'toolCall' }>;
const sight = { vision: false, texts: new Map(), missing: new Set<never>() };

export async function runWorker(run: WorkerRun, signal: AbortSignal): Promise<WorkerEnd> {
  return new Loop(run, signal).whole();
}

class Loop {
  readonly #run: WorkerRun;
  readonly #signal: AbortSignal;
  readonly #end: WorkerEnd = { usages: [], read: [], refused: [], failure: null };
  readonly #tools: Tool[];
  readonly #definitions: ToolDefinition[];
  readonly #messages: RequestMessage[] = [];
  #used: number;
  #isToldToFinish = false;
  #wasAskedAgain = false;
  #repeats = false;

  constructor(run: WorkerRun, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
    this.#tools = workerTools(run.desk, ({ repeated, faults }) => {
      this.#repeats = repeated;
      this.#end.refused.push(...faults);
    });
    this.#definitions = this.#tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    this.#used = fixedTokens({ system: run.prompt.system, tools: this.#definitions });
    this.#add(says(run.prompt.user));
  }

  async whole(): Promise<WorkerEnd> {
    const { steps } = this.#run.budget;
    for (let step = 1; step <= steps && this.#left > 0 && !this.#signal.aborted; step++) {
      this.#tellWhereItIs(step);
      const answer = await this.#ask();
      if (this.#signal.aborted || !(await this.#goesOn(answer))) break;
    }
    return this.#end;
  }

  get #left(): number {
    return this.#run.budget.tokens - this.#used;
  }

  #add(...messages: RequestMessage[]): void {
    this.#messages.push(...messages);
    this.#used += builtTokens({ messages }, true);
  }

  #tellWhereItIs(step: number): void {
    const { budget, onWorker } = this.#run;
    const finishing = this.#left <= budget.warning || budget.steps - step < lastSteps;
    onWorker({ step, finishing });
    if (!finishing || this.#isToldToFinish) return;
    this.#isToldToFinish = true;
    this.#add(
      says(`[About ${this.#left} tokens and ${budget.steps - step + 1} steps are left. Finish now: hand in the card with write_summary.]`),
    );
  }

  async #ask(): Promise<WorkerAnswer> {
    const { models, model, prompt, budget, timeLimit } = this.#run;
    const question = {
      system: prompt.system,
      messages: [...this.#messages],
      tools: this.#definitions,
      most: Math.max(leastAnswer, budget.reserve * mostAnswer),
      timeLimit,
    };
    const answer = await askWorker(models, model, question, this.#signal);
    if (answer.usage) {
      this.#end.usages.push(answer.usage);
      this.#used = Math.max(this.#used, answer.usage.input);
    }
    return answer;
  }

  /** False when it has ended, well or badly. */
  async #goesOn(answer: WorkerAnswer): Promise<boolean> {
    if (answer.type !== 'answer') {
      this.#end.refused.push(answer.type === 'failed' ? answer.failure.code : 'oversized');
      if (answer.type === 'failed') this.#end.failure = answer.failure;
      return false;
    }
    const calls = answer.content.filter((part): part is Call => part.type === 'toolCall');
    if (calls.length === 0) return this.#asksAgain(answer);
    this.#repeats = false;
    const results = await this.#perform(calls);
    this.#add(...stepMessages({ content: answer.content, results }, sight));
    return !this.#repeats;
  }

  async #perform(calls: readonly Call[]): Promise<StepResult[]> {
    const results: StepResult[] = [];
    let left = this.#left - builtTokens({ messages: stepMessages({ content: [...calls], results: [] }, sight) }, true);
    for (const [at, call] of calls.entries()) {
      if (this.#signal.aborted) break;
      const refusal = at < usualCalls ? undefined : `Only ${usualCalls} calls are taken in one step.`;
      const { result, read } = await runWorkerCall(
        this.#run.place,
        this.#tools,
        call,
        { left, reserve: this.#run.budget.reserve, refusal },
        this.#signal,
      );
      if (read !== undefined) this.#end.read.push(read);
      left -= builtTokens({ messages: [says(result.content ?? result.summary)] }, true);
      results.push({ ...result, callId: call.callId });
    }
    return results;
  }

  /** No card, or no file chosen though there are some: it is asked once more. A card in plain words is one. */
  #asksAgain({ content, cut }: Extract<WorkerAnswer, { type: 'answer' }>): boolean {
    const { desk, hasFiles, budget } = this.#run;
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const had = desk.card !== null;
    const faults: CardFault[] = cut ? ['cut'] : desk.card ? [] : desk.write(text).faults;
    if (!had) this.#end.refused.push(...faults);
    const lacksFiles = hasFiles && !desk.hasChosen && this.#left > budget.reserve;
    if (this.#wasAskedAgain || (desk.card && !lacksFiles)) return false;
    this.#wasAskedAgain = true;
    this.#add({ role: 'assistant', parts: text.trim() === '' ? [] : [{ type: 'text', text }] });
    this.#add(says(desk.card ? noFile : [noCard, ...faultLines(faults)].join('\n')));
    return true;
  }
}

const noCard = 'No card was handed in. Hand in the whole card with write_summary.';
const noFile =
  'The card is kept, and no file was chosen though files were touched. Mark what the agent needs at once with mark_read_required, name others with add_reference, or answer "done" if it needs none.';

function says(text: string): RequestMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}
