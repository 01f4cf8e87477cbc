// What each slash command does (section K), and what is to be said of it. Main is asked as by the buttons that do the same.

import { type Command, type CommandError, nearestTo } from '../../shared/commands';
import type { Agent } from '../../shared/model/agent';
import { assertNever } from '../../shared/model/assertNever';
import type { Failure } from '../../shared/model/failure';
import type { ForkScope } from '../../shared/model/fork';
import type { OfferedModel } from '../../shared/model/provider';
import { focusSearchEvent, tellWindowSoon } from '../focusEvents';
import { appState, loadModels, setSettings } from './appSlice';
import { client } from './client';
import { isPassRunning, type PassAsk, placeHere, previewPass, runPass, showContext, undoPass } from './compactionSlice';
import { composerState, setDraftAgent, writeDraft } from './composerSlice';
import { applyConversation, setConversationQuery } from './conversationsSlice';
import { askToExport } from './exportSlice';
import { askToFork, fork } from './forkSlice';
import { setAreaOpen, setPanelTab } from './layoutSlice';
import { nextAgentNow } from './nextAgent';
import { focusTree } from './outlineSlice';
import { openSearch, setSearchQuery } from './searchSlice';
import { applyOpenConversation, openConversation, showView } from './talkSlice';
import { talkState } from './talkStore';

type Values = Record<string, string | readonly string[]>;
/** Keys under `commands:done`. */
type Done =
  | 'fork'
  | 'checkpoint'
  | 'rewind'
  | 'rewindDigest'
  | 'retry'
  | 'agent'
  | 'agentNow'
  | 'model'
  | 'modelNow'
  | 'title'
  | 'label'
  | 'branch'
  | 'branchLabel'
  | 'copied';
/** Keys under `commands:refused`: nothing was done, and why. */
type Refused =
  | 'nothingToRetry'
  | 'nothingLoaded'
  | 'nothingHere'
  | 'notForked'
  | 'agentUnknown'
  | 'modelUnknown'
  | 'modelSeveral'
  | 'noAgent'
  | 'labelUnknown'
  | 'labelUsed'
  | 'passRuns';
export type Outcome =
  | { type: 'done'; what: Done; values: Values }
  /** `meant`: the nearest that exists; `known`: what could have been said. */
  | { type: 'refused'; what: Refused; values: Values; meant?: string | null; known?: readonly string[] }
  | { type: 'wrong'; error: CommandError }
  | { type: 'failed'; failure: Failure };

const done = (what: Done, values: Values = {}): Outcome => ({ type: 'done', what, values });
const refused = (what: Refused, values: Values = {}, more: { meant?: string | null; known?: readonly string[] } = {}): Outcome => ({
  type: 'refused',
  what,
  values,
  ...more,
});

/** May throw what main answered; `/help` is shown by the composer. Null: what came of it is shown elsewhere. */
export function act(command: Exclude<Command, { name: 'help' }>): Promise<Outcome | null> {
  switch (command.name) {
    case 'checkpoint':
      return checkpoint(command.label);
    case 'rewind':
      return rewind(command.label, command.digest);
    case 'fork':
      return forkHere(command.scope);
    case 'export':
      return exportHere(command);
    case 'retry':
      return retry();
    case 'agent':
      return chooseAgentNamed(command.agent);
    case 'model':
      return chooseModelNamed(command.model);
    case 'title':
      return title(command.title);
    case 'label':
      return label(command.label);
    case 'tree':
      return tree();
    case 'branch':
      return branch(command.label);
    case 'search':
      return searchFor(command.words);
    case 'compact':
    case 'shake':
    case 'context':
    case 'undo-compact':
      return onMemory(command);
    default:
      return assertNever(command);
  }
}

/** A failure about a label is said with the labels that are live. */
export function outcomeOf(failure: Failure, command: Command): Outcome {
  const label = 'label' in command ? command.label : null;
  if (label === null || (failure.code !== 'labelUnknown' && failure.code !== 'labelUsed')) return { type: 'failed', failure };
  const known = talkState().checkpoints.map((each) => each.label);
  return refused(failure.code, { label }, { known, meant: failure.code === 'labelUnknown' ? nearestTo(label, known) : null });
}

async function checkpoint(label: string): Promise<Outcome> {
  const { conversationId } = talkState();
  if (!conversationId) return refused('nothingHere');
  showView(await client().checkpoints.add({ conversationId, label }), { kind: 'keep' });
  return done('checkpoint', { label });
}

async function rewind(label: string, digest: string): Promise<Outcome> {
  const { conversationId } = talkState();
  if (!conversationId) return refused('nothingHere');
  showView(await client().checkpoints.rewind({ conversationId, label, digest }), { kind: 'end' });
  return done(digest === '' ? 'rewind' : 'rewindDigest', { label });
}

/** X8: a turn that did not fail, and a conversation that is not on screen, are two different things. */
async function retry(): Promise<Outcome> {
  const { conversationId, status, ending } = talkState();
  if (!conversationId || status !== 'ready') return refused('nothingLoaded');
  if (ending?.type !== 'failed') return refused('nothingToRetry');
  await client().turn.retry({ conversationId, failedTurnId: ending.turn.id });
  if (talkState().conversationId === conversationId) await openConversation(conversationId);
  return done('retry');
}

/** The dialog counts and asks for the file; the command only chooses. */
async function exportHere({ format, scope }: Extract<Command, { name: 'export' }>): Promise<Outcome | null> {
  const { conversationId, path } = talkState();
  if (!conversationId || path.tipId === null) return refused('nothingHere');
  askToExport({ conversationId, messageId: null }, { ...(format ? { format } : {}), ...(scope ? { scope } : {}) });
  return null;
}

/** At the tip. A failure is said in the dialog, which is where another choice can be made. */
async function forkHere(scope: ForkScope | null): Promise<Outcome | null> {
  const { conversationId, path } = talkState();
  const { tipId } = path;
  if (!conversationId || !tipId) return refused('nothingHere');
  if (scope === null) {
    askToFork(tipId);
    return null;
  }
  // The command leaves the box of this conversation before that of the copy is there.
  const takeFromBox = () => {
    if (/^\/fork\b/i.test(composerState().draft.text)) writeDraft('');
  };
  return (await fork({ conversationId, messageId: tipId }, scope, takeFromBox)) ? done('fork') : refused('notForked');
}

async function title(text: string): Promise<Outcome> {
  const { conversationId } = talkState();
  if (!conversationId) return refused('nothingHere');
  const conversation = await client().conversations.rename({ conversationId, title: text });
  applyConversation(conversation);
  applyOpenConversation(conversation);
  return done('title', { title: conversation.title });
}

/** On the tip. */
async function label(text: string): Promise<Outcome> {
  const { conversationId, path } = talkState();
  if (!conversationId || !path.tipId) return refused('nothingHere');
  showView(await client().labels.set({ conversationId, messageId: path.tipId, label: text }), { kind: 'keep' });
  return done('label', { label: text });
}

/** The tree in its panel, with focus on the tip. */
async function tree(): Promise<null> {
  setPanelTab('branches');
  setAreaOpen('panel', true);
  focusTree();
  return null;
}

/** T4: nothing is written and nothing moves; what is sent next hangs under the tip. A label marks the place. */
async function branch(text: string | null): Promise<Outcome> {
  if (text === null) return talkState().path.tipId ? done('branch') : refused('nothingHere');
  const outcome = await label(text);
  return outcome.type === 'done' ? done('branchLabel', { label: text }) : outcome;
}

/** The search over all messages, with these words in its box. */
async function searchFor(words: string): Promise<null> {
  setAreaOpen('sidebar', true);
  setConversationQuery(words);
  setSearchQuery(words);
  if (words === '') openSearch();
  tellWindowSoon(focusSearchEvent);
  return null;
}

type OnMemory = Extract<Command, { name: 'compact' | 'shake' | 'context' | 'undo-compact' }>;
/** Shown over the composer, or in a dialog; nobody waits for a pass to end. */
async function onMemory(command: OnMemory): Promise<Outcome | null> {
  const place = placeHere();
  if (!place) return refused('nothingHere');
  if (command.name === 'context') void showContext(place);
  else if (isPassRunning(place.conversationId)) return refused('passRuns');
  else if (command.name === 'undo-compact') await undoPass(place, null);
  else {
    const ask = askOf(command);
    void (ask ? runPass(place, ask) : previewPass(place));
  }
  return null;
}
/** Null: without words a person looks before anything runs (K2). */
function askOf(command: Extract<OnMemory, { name: 'compact' | 'shake' }>): PassAsk | null {
  if (command.name === 'shake') return { type: 'shake', what: command.what };
  const { rung, focus } = command;
  return rung === null && focus === null ? null : { type: 'compact', rung, focus };
}

async function chooseAgentNamed(name: string | null): Promise<Outcome> {
  const agents = appState().settings?.agents ?? [];
  const known = agents.map((agent) => agent.name);
  if (name === null) {
    const { agent } = nextAgentNow();
    return agent ? done('agentNow', { agent: agent.name, all: known }) : refused('noAgent', {}, { known });
  }
  const agent = agentNamed(name, agents);
  if (!agent) return refused('agentUnknown', { name }, { known, meant: nearestTo(name, known) });
  const { conversationId } = talkState();
  if (conversationId) {
    const conversation = await client().conversations.setAgent({ conversationId, agentId: agent.id });
    applyConversation(conversation);
    applyOpenConversation(conversation);
  } else setDraftAgent(agent.id);
  return done('agent', { agent: agent.name });
}

const folded = (text: string) => text.normalize('NFC').toLocaleLowerCase();
/** By its whole name (with or without the sign that addresses it), else by the beginning of one name. */
function agentNamed(typed: string, agents: readonly Agent[]): Agent | undefined {
  const name = folded(typed.replace(/^@/, ''));
  const begun = agents.filter((agent) => folded(agent.name).startsWith(name));
  return agents.find((agent) => folded(agent.name) === name) ?? (begun.length === 1 ? begun[0] : undefined);
}

async function chooseModelNamed(typed: string | null): Promise<Outcome> {
  const { agent } = nextAgentNow();
  if (!agent) return refused('noAgent');
  if (typed === null) return agent.model ? done('modelNow', { agent: agent.name, model: agent.model }) : refused('noAgent');
  if (!appState().models) await loadModels();
  const models = appState().models ?? [];
  const found = modelsNamed(typed, models);
  const ref = found.length === 1 ? found[0]?.ref : refOfUnlisted(typed);
  if (!ref) {
    const known = (found.length > 0 ? found : models).map((model) => model.ref);
    return refused(found.length > 0 ? 'modelSeveral' : 'modelUnknown', { name: typed }, { known, meant: nearestModel(typed, models) });
  }
  setSettings(await client().agents.setModel({ agentId: agent.id, model: ref }));
  return done('model', { agent: agent.name, model: ref });
}

/** Those meant: by `provider/model`, else by the model's own id or name, else by a part of any of these. */
function modelsNamed(typed: string, models: readonly OfferedModel[]): readonly OfferedModel[] {
  const name = folded(typed);
  const namesOf = (model: OfferedModel) => [model.ref, model.id, model.name ?? model.id].map(folded);
  const exact = models.filter((model) => folded(model.ref) === name);
  if (exact.length > 0) return exact;
  const whole = models.filter((model) => namesOf(model).includes(name));
  return whole.length > 0 ? whole : models.filter((model) => namesOf(model).some((each) => each.includes(name)));
}
/** A server may serve more than it lists: a model of a provider that is set up is taken at its word. */
function refOfUnlisted(typed: string): string | undefined {
  const providers = appState().settings?.providers ?? [];
  return providers.some((provider) => typed.startsWith(`${provider.id}/`) && typed.length > provider.id.length + 1) ? typed : undefined;
}
function nearestModel(typed: string, models: readonly OfferedModel[]): string | null {
  const nearest = nearestTo(typed, [...models.map((model) => model.ref), ...models.map((model) => model.id)]);
  return models.find((model) => model.ref === nearest || model.id === nearest)?.ref ?? null;
}
