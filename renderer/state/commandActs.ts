// What each slash command does (section K). Main is asked as by the buttons that do the same.
import type { Command } from '../../shared/commands';
import { assertNever } from '../../shared/model/assertNever';
import type { ForkScope } from '../../shared/model/fork';
import { focusSearchEvent, tellWindowSoon } from '../focusEvents';
import { client } from './client';
import { chooseAgentNamed, chooseModelNamed } from './commandChoices';
import { done, type Outcome, refused } from './commandOutcome';
import { isPassRunning, type PassAsk, placeHere, previewPass, runPass, showContext, undoPass } from './compactionSlice';
import { composerState, writeDraft } from './composerSlice';
import { applyConversation, setConversationQuery } from './conversationsSlice';
import { askToExport } from './exportSlice';
import { askToFork, fork } from './forkSlice';
import { setAreaOpen, setPanelTab } from './layoutSlice';
import { focusTree } from './outlineSlice';
import { openSearch, setSearchQuery } from './searchSlice';
import { applyOpenConversation, openConversation, showView } from './talkSlice';
import { talkState } from './talkStore';

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
