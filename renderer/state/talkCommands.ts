// Commands on the open conversation and its messages, and why they cannot be run just now.

import { textOf } from '../../shared/model/message';
import type { MessageView } from '../../shared/model/talkView';
import type { WindowCommandId } from '../../shared/windowCommands';
import { appState } from './appSlice';
import { runChosen, sayDone } from './commandSlice';
import { compareVersions } from './compareSlice';
import { archiveConversation, pinConversation } from './conversationsSlice';
import { setPinned } from './markActs';
import { openPalette } from './paletteSlice';
import { continueAnswer, copyText, editLastPrompt, regenerate, stopTurn } from './talkActs';
import { talkState } from './talkStore';
import { askToDelete } from './trashSlice';

/** Keys under `palette:why`. */
export type WhyNot =
  | 'noConversation'
  | 'noMessages'
  | 'noOther'
  | 'noAnswer'
  | 'readOnly'
  | 'running'
  | 'notRunning'
  | 'notFailed'
  | 'whole'
  | 'noVersions'
  | 'noPrompt'
  | 'noCheckpoints'
  | 'nothingDeleted'
  | 'already';
type Act = { why(): WhyNot | null; run(): void };

export const whyReadOnly = (): WhyNot | null => (appState().workspace?.status === 'readOnly' ? 'readOnly' : null);
export const whyNoConversation = (): WhyNot | null => (talkState().conversationId === null ? 'noConversation' : null);
const whyNotWritable = (): WhyNot | null => whyReadOnly() ?? whyNoConversation();
const whyNoMessages = (): WhyNot | null => whyNoConversation() ?? (talkState().path.tipId === null ? 'noMessages' : null);
const whyNotOnMessages = (): WhyNot | null => whyReadOnly() ?? whyNoMessages();

/** What is loaded of the path, from its end on. */
function* fromEnd(): Iterable<MessageView> {
  const { path } = talkState();
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const message = path.items.get(depth);
    if (!message) return;
    yield message;
  }
}
function lastThat(is: (message: MessageView) => boolean): MessageView | undefined {
  for (const message of fromEnd()) if (is(message)) return message;
  return undefined;
}
const last = () => lastThat(() => true);
/** The lowest on the path that there are other versions of. */
const lastBranched = () => lastThat(({ versions }) => versions > 1);
const lastAnswer = () => lastThat((message) => message.role === 'assistant' && textOf(message) !== '');

/** As the buttons of a message have it. */
function isCut(message: MessageView | undefined): message is MessageView {
  if (message?.role !== 'assistant' || talkState().ending !== null) return false;
  return message.status === 'interrupted' || message.finish === 'length' || message.parts.at(-1)?.type === 'toolCall';
}
/** The last message, if an answer can be written in its place or under it. */
function answerable(): MessageView | undefined {
  const message = last();
  const { tipChildren, ending } = talkState();
  const alone = tipChildren === 0 && ending === null;
  return message?.role === 'assistant' || (message?.role === 'user' && alone) ? message : undefined;
}
const liveStep = () => {
  const { ending } = talkState();
  return ending?.type === 'live' ? ending.step.id : null;
};

async function copyAnswer(): Promise<void> {
  const answer = lastAnswer();
  if (answer && (await copyText(textOf(answer)))) sayDone('copied');
}

const here = <T>(run: (open: NonNullable<ReturnType<typeof talkState>['conversation']>) => T) => {
  return () => {
    const { conversation } = talkState();
    if (conversation) run(conversation);
  };
};
const onTip = (run: (tip: MessageView) => unknown) => () => {
  const message = last();
  if (message) void run(message);
};
/** As if the line were typed. */
const line = (text: string) => () => void runChosen(text);
const asks = (id: WindowCommandId) => () => openPalette(id);
const never = () => null;

export type ActsHere = typeof actsHere;
export const actsHere = {
  title: { why: whyNotWritable, run: asks('title') },
  pinConversation: { why: whyNotWritable, run: here(({ id, pinned }) => void pinConversation(id, !pinned)) },
  archiveConversation: { why: whyNotWritable, run: here(({ id, archived }) => void archiveConversation(id, !archived)) },
  fork: { why: whyNotOnMessages, run: line('/fork') },
  export: { why: whyNoMessages, run: line('/export') },
  deleteConversation: { why: whyNotWritable, run: here(({ id }) => askToDelete({ conversationId: id, messageId: null })) },
  stop: { why: () => (liveStep() ? null : 'notRunning'), run: stop },
  regenerate: {
    why: () => whyNotOnMessages() ?? (liveStep() ? 'running' : answerable() ? null : 'noAnswer'),
    run: onTip((message) => regenerate(message.id)),
  },
  continue: {
    why: () => whyNotOnMessages() ?? (liveStep() ? 'running' : isCut(last()) ? null : 'whole'),
    run: onTip((message) => continueAnswer(message.id)),
  },
  retry: {
    why: () => whyNotOnMessages() ?? (talkState().ending?.type === 'failed' ? null : 'notFailed'),
    run: line('/retry'),
  },
  copyAnswer: { why: () => whyNoMessages() ?? (lastAnswer() ? null : 'noAnswer'), run: () => void copyAnswer() },
  editPrompt: {
    why: () => whyNotOnMessages() ?? (lastThat(({ role }) => role === 'user') ? null : 'noPrompt'),
    run: () => void editLastPrompt(),
  },
  label: { why: whyNotOnMessages, run: asks('label') },
  pinMessage: { why: whyNotOnMessages, run: onTip(({ id }) => setPinned(id, !talkState().pins.includes(id))) },
  checkpoint: { why: whyNotOnMessages, run: asks('checkpoint') },
  rewind: {
    why: () => whyNotOnMessages() ?? (talkState().checkpoints.length > 0 ? null : 'noCheckpoints'),
    run: asks('rewind'),
  },
  branch: { why: whyNotOnMessages, run: line('/branch') },
  compare: {
    why: () => whyNoMessages() ?? (lastBranched() ? null : 'noVersions'),
    run: () => {
      const message = lastBranched();
      if (message) void compareVersions(message.id, message.version > 1 ? 'previous' : 'next');
    },
  },
  deleteMessage: {
    why: whyNotOnMessages,
    run: onTip(({ id, conversationId }) => askToDelete({ conversationId, messageId: id })),
  },
  compact: { why: whyNotOnMessages, run: line('/compact') },
  shake: { why: whyNotOnMessages, run: line('/shake') },
  context: { why: whyNoMessages, run: line('/context') },
  undoCompact: { why: whyNotOnMessages, run: line('/undo-compact') },
  agent: { why: never, run: asks('agent') },
  model: { why: never, run: asks('model') },
  tree: { why: never, run: line('/tree') },
  help: { why: never, run: line('/help') },
} satisfies Partial<Record<WindowCommandId, Act>>;

function stop(): void {
  const step = liveStep();
  if (step) void stopTurn(step);
}
