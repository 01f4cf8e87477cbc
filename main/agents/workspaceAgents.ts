// All that acts in one open workspace, put together: turns, what waits for them, approvals; and what an earlier process left is looked after first.
import type { Agent } from '../../shared/model/agent';
import type { CompactionSettings } from '../../shared/model/compaction';
import type { ConversationId, MessageId, NewId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import { type Message, textOf } from '../../shared/model/message';
import type { TokenCounter } from '../context/tokens/tokenCounter';
import type { Now } from '../lib/clock';
import { folderNames } from '../lib/folderNames';
import type { Logger } from '../lib/logger';
import { checkpointsOnPath, removeCheckpointsOf } from '../store/checkpointRows';
import { getConversation, renameConversation } from '../store/conversations';
import type { WritableDb } from '../store/database';
import { liveContent } from '../store/liveSteps';
import { readPath } from '../store/messages';
import type { BlobStore } from '../transcript/blobs';
import type { Transcripts } from '../transcript/transcripts';
import type { AnsweringDeps } from './answering';
import { ApprovalDesk } from './approvalDesk';
import { BranchCarries } from './branchCarries';
import { BuiltPaths } from './builtPaths';
import { Deletions } from './deletion';
import { Emptying } from './emptying';
import type { EventHub } from './eventHub';
import { Forks } from './forks';
import type { LadderDeps } from './ladder/ladderDeps';
import type { MemoryActs } from './ladder/memoryActs';
import type { MemoryLooks } from './ladder/memoryLooks';
import { openLadder } from './ladder/openLadder';
import { summarizeFolded } from './ladder/summarizeFolded';
import type { ModelAccess } from './modelAccess';
import { ModelQuirks } from './modelQuirks';
import { pastReader } from './pastReader';
import { recoverSteps } from './recovery';
import { outdatedIn } from './rememberedFiles';
import type { CallsContext } from './runCalls';
import { RunningTurns } from './runningTurns';
import type { StepContext } from './runStep';
import type { Resumed, TurnDeps, TurnEnd, TurnRun } from './runTurn';
import { Scheduler } from './scheduler';
import { stepSession } from './sessionEffects';
import { StepContent } from './stepContent';
import { askForTitle } from './titles';
import { defaultLimits, type ToolContext } from './tools/common/definition';
import { allTools, describeTools } from './tools/registry';
import { WaitingMessages } from './waitingMessages';

/** What tools need to know of the machine. */
export type ToolEnvironment = Pick<ToolContext, 'workspace' | 'platform' | 'environment' | 'hideKeys' | 'ripgrep'> &
  Partial<Pick<ToolContext, 'limits'>>;

export type AgentsDeps = {
  db: WritableDb;
  transcripts: Transcripts;
  blobs: Pick<BlobStore, 'read' | 'write' | 'writeNow' | 'has' | 'remove'>;
  hub: EventHub;
  models: ModelAccess;
  /** What the user allowed for a conversation (A4); `add` holds at once, also when it rejects. */
  grants: {
    keysOf(conversationId: ConversationId): ReadonlySet<string>;
    add(conversationId: ConversationId, keys: Iterable<string>): Promise<void>;
  };
  tools: ToolEnvironment;
  /** Counts tokens in a thread; without it they are estimated. */
  counter?: TokenCounter | undefined;
  /** Makes pages in a thread (S11). */
  makePages?: LadderDeps['makePages'];
  /** Numbers of the ladder: the user's, then the workspace's. */
  compaction(): readonly CompactionSettings[];
  newId: NewId;
  now: Now;
  random(): number;
  logger: Logger;
  wait: StepContext['wait'];
};

export type WorkspaceAgents = {
  scheduler: Scheduler;
  running: RunningTurns;
  waiting: WaitingMessages;
  desk: ApprovalDesk;
  deletions: Deletions;
  emptying: Emptying;
  forks: Forks;
  carries: BranchCarries;
  /** Of memories; what looks at them is apart, for a workspace that is only read. */
  memory: MemoryActs;
  looks: MemoryLooks;
  close(): Promise<void>;
};

export async function openAgents(deps: AgentsDeps): Promise<WorkspaceAgents> {
  const { hub, logger } = deps;
  const desk = new ApprovalDesk();
  const publish: TurnDeps['publish'] = (event) => hub.publish(event);
  const answering: AnsweringDeps = {
    ...deps,
    paths: new BuiltPaths(),
    notify: (notice) => publish({ type: 'notice', notice }),
    retold: (conversationId) => publish({ type: 'talkChanged', conversationId }),
    trimming: { ...deps, leftOut: ({ conversationId, messageIds }) => discardCheckpoints(deps, hub, conversationId, messageIds) },
  };
  const place = { folders: folderNames(deps.tools.workspace), platform: deps.tools.platform };
  const toolsOf = (agent: Agent) => describeTools(allTools, agent.tools);
  const ladder = openLadder({
    ...deps,
    ...answering,
    db: deps.db,
    blobs: deps.blobs,
    publish,
    toolsOf,
    reading: { ...deps.tools, limits: defaultLimits },
    summarize: summarizeFolded(deps, place),
  });
  const turnDeps: TurnDeps = {
    ...deps,
    publish,
    quirks: new ModelQuirks(),
    ...ladder.turn,
    callsContext: (step, agent, held) => ({ ...callsContext(deps, publish, step, agent, held), desk }),
  };
  const recovered = await recoverSteps(turnDeps);
  if (recovered.broken > 0) {
    logger.log('info', 'answers were broken off by the end of the program', { recovered: recovered.broken });
    publish({ type: 'notice', notice: { code: 'answersRecovered', values: { count: recovered.broken }, tone: 'info' } });
  }
  const ends: ((run: TurnRun, end: TurnEnd) => void)[] = [];
  const running = new RunningTurns({
    ...turnDeps,
    onEnd: (run, end) => {
      for (const after of ends) after(run, end);
    },
  });
  const scheduler = new Scheduler({ ...turnDeps, running });
  const waiting = new WaitingMessages({ ...deps, running, scheduler });
  ends.push(
    (run, end) => waiting.turnEnded(run, end),
    (run, end) => void (end.type === 'answered' && giveTitle(deps, running, run, end)),
  );
  for (const step of recovered.waiting) resume(deps, running, step);
  const deletions = new Deletions({ ...deps, running });
  const emptying = new Emptying({ ...deps, alone: (job) => deletions.alone(job) });
  const forks = new Forks({ ...deps, publish });
  const carries = new BranchCarries({ ...deps, running, place, publish });
  const close = async () => {
    await Promise.all([running.close(), ladder.close(), carries.close(), forks.close(), emptying.stop()]);
  };
  const { memory, looks } = ladder;
  return { scheduler, running, waiting, desk, deletions, emptying, forks, carries, memory, looks, close };
}

/** A checkpoint whose message is left out of what the agent is sent is discarded, and that is said (C4). */
function discardCheckpoints({ db }: AgentsDeps, hub: EventHub, conversationId: ConversationId, messageIds: readonly MessageId[]): void {
  const labels = removeCheckpointsOf(db, { conversationId, messageIds });
  if (labels.length === 0) return;
  const values = { count: labels.length, labels: labels.join(', ') };
  hub.publish({ type: 'notice', notice: { code: 'checkpointsDiscarded', values, tone: 'warning' } });
  hub.publish({ type: 'talkChanged', conversationId });
}

/** Goes on where it waits: at the call that asks. An agent that is gone answers as the workspace knew it, and asks for everything. */
function resume({ db, models, logger }: AgentsDeps, running: RunningTurns, step: LiveStep): void {
  const agent = models.agent(step.agentId);
  const left = liveContent(db, step.id);
  if (agent && left) running.begin({ step, agent, resumed: { content: StepContent.of(left.content), calls: left.calls } });
  else logger.log('warn', 'a waiting step cannot go on', { stepId: step.id });
}

function callsContext(
  deps: AgentsDeps,
  publish: TurnDeps['publish'],
  step: LiveStep,
  agent: Agent,
  held: Resumed,
): Omit<CallsContext, 'desk'> {
  const { db, now, wait, grants, logger, blobs } = deps;
  const { conversationId, parentId } = step;
  const results = held.calls.flatMap(({ callId, result }) => (result ? [{ callId, ...result }] : []));
  const done = { content: held.content.content, results };
  const place = { conversationId, agentId: agent.id, headId: parentId };
  const past = pastReader(deps, place);
  const outdated = outdatedIn({ ...deps, reading: { ...deps.tools, limits: defaultLimits } }, place, () => held.calls);
  const session = stepSession(() => checkpointsOnPath(db, { conversationId, tipId: parentId }), done);
  return {
    db,
    now,
    wait,
    publish,
    agent,
    tools: allTools.filter(({ name }) => agent.tools.includes(name)),
    grants: () => grants.keysOf(conversationId),
    allow: (keys) => {
      grants.add(conversationId, keys).catch((cause: unknown) => {
        logger.log('warn', 'what was allowed could not be written', { cause });
        publish({ type: 'notice', notice: { code: 'grantNotKept', tone: 'warning' } });
      });
    },
    toolContext: (callId, signal) => ({
      limits: defaultLimits,
      ...deps.tools,
      callId,
      signal,
      blobs,
      now,
      session,
      canRecall: agent.tools.includes('recall'),
      past,
      outdated,
      report: (cause) => logger.log('error', 'a tool failed', { cause, callId, stepId: step.id }),
    }),
  };
}

/** Asks the `title` role, else the agent's own model, once per conversation, after its first answer. */
async function giveTitle(
  { db, models, logger }: AgentsDeps,
  running: RunningTurns,
  { conversationId, step }: TurnRun,
  { head }: TurnEnd,
): Promise<void> {
  try {
    const conversation = getConversation(db, conversationId);
    if (conversation?.titleSource !== 'none' || !models.preferences().autoTitle) return;
    const title = (await askForTitle(models, models.roles().title ?? step.model, firstWords(readPath(db, head)))) ?? '';
    const now = getConversation(db, conversationId);
    if (now?.titleSource !== 'none') return;
    renameConversation(db, { conversationId, title: title || now.title, source: 'auto' });
    running.publishTalk(conversationId);
  } catch (error) {
    logger.log('warn', 'no title', { cause: error });
  }
}

/** The first request and the answer to it. */
function firstWords(path: readonly Message[]): Message[] {
  const request = path.find(({ role }) => role === 'user');
  const answer = path.find((message) => message.role === 'assistant' && textOf(message).trim() !== '');
  return [request, answer].flatMap((message) => message ?? []);
}
