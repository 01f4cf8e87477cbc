// Slash commands of the composer (K1): run here, their result said beside the box until the next keystroke.
import { create } from 'zustand';
import { parseCommand } from '../../shared/commands';
import { failureOf } from '../bridge';
import { act } from './commandActs';
import { type Outcome, outcomeOf } from './commandOutcome';
import { clearSaidNothing } from './compactionSlice';
import { composerState, type DraftKey, writeDraft } from './composerSlice';
import { restOfText } from './sendDraft';
import { talkState } from './talkStore';

type CommandState = {
  /** Belongs to the conversation it was said in. */
  outcome: { key: DraftKey; outcome: Outcome } | null;
  helpOpen: boolean;
  running: boolean;
};
const useCommand = create<CommandState>(() => ({ outcome: null, helpOpen: false, running: false }));

export const useOutcome = (key: DraftKey) => useCommand((state) => (state.outcome?.key === key ? state.outcome.outcome : null));
export const useHelpOpen = () => useCommand((state) => state.helpOpen);

export function clearOutcome(): void {
  clearSaidNothing();
  if (useCommand.getState().outcome) useCommand.setState({ outcome: null });
}
function showCommandHelp(): void {
  useCommand.setState({ helpOpen: true });
}
export function closeCommandHelp(): void {
  useCommand.setState({ helpOpen: false });
}

/** True when the text was a command, or meant to be one: then it is no message. It leaves the box only once it is done. */
export function runCommand(text: string): boolean {
  const parsed = parseCommand(
    text,
    talkState().checkpoints.map((each) => each.label),
  );
  if (!parsed) return false;
  const { key } = composerState();
  if (parsed.type === 'error') say(key, { type: 'wrong', error: parsed.error });
  else if (parsed.command.name === 'help') {
    takeFromBox(key, text);
    showCommandHelp();
  } else if (!useCommand.getState().running) void run(key, text, parsed.command);
  return true;
}

/** A line that was chosen elsewhere than in the box, which is left alone. What is done is said there; null: nothing more is to be said. */
export async function runChosen(line: string, sayRefusal = true): Promise<Outcome | null> {
  const parsed = parseCommand(
    line,
    talkState().checkpoints.map((each) => each.label),
  );
  if (!parsed || useCommand.getState().running) return null;
  if (parsed.type === 'error') return { type: 'wrong', error: parsed.error };
  if (parsed.command.name === 'help') {
    showCommandHelp();
    return null;
  }
  const { key } = composerState();
  const outcome = await actOn(parsed.command);
  if (outcome?.type === 'done' || (outcome && sayRefusal)) say(key, outcome);
  return outcome;
}

async function actOn(command: Parameters<typeof act>[0]): Promise<Outcome | null> {
  clearOutcome();
  useCommand.setState({ running: true });
  try {
    return await act(command);
  } catch (error) {
    return outcomeOf(failureOf(error), command);
  } finally {
    useCommand.setState({ running: false });
  }
}

async function run(key: DraftKey, text: string, command: Parameters<typeof act>[0]): Promise<void> {
  const outcome = await actOn(command);
  if (!outcome || outcome.type === 'done') takeFromBox(key, text);
  if (outcome) say(key, outcome);
}

/** Of something that no slash command does. */
export function sayDone(what: Extract<Outcome, { type: 'done' }>['what']): void {
  say(composerState().key, { type: 'done', what, values: {} });
}
function say(key: DraftKey, outcome: Outcome): void {
  clearSaidNothing();
  useCommand.setState({ outcome: { key, outcome } });
}
/** What was typed behind it meanwhile stays. */
function takeFromBox(key: DraftKey, text: string): void {
  const now = composerState();
  if (now.key === key) writeDraft(restOfText(now.draft.text, text));
}
