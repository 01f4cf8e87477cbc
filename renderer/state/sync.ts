// Applies main's events in order, refetches on a gap, and starts the window's first queries.

import { assertNever } from '../../shared/model/assertNever';
import type { EventBatch, WindowEvent } from '../../shared/model/events';
import type { ConversationId, StepId, TurnId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { SettingsView } from '../../shared/model/settings';
import { announce } from './announceSlice';
import { applyCall, applyDelta, applyPart } from './applyDelta';
import { appState, setInfo, setSettings, setWorkspace, showFailure, showNotice } from './appSlice';
import { client } from './client';
import { applyConversation, loadConversations, noteCall, noteEnded, noteRunning, removeConversation } from './conversationsSlice';
import { noteForkProgress, noteForkSide } from './forkSlice';
import { loadImports, noteImportEnded, noteImportProgress } from './importSlice';
import { memoryChanged } from './memorySlice';
import { nextAgentNow } from './nextAgent';
import { noteCompacted, notePass } from './passSlice';
import { updateLiveStep } from './talkLive';
import { applyOpenConversation, openConversation, refreshTalk, startNewConversation } from './talkSlice';
import { talkState } from './talkStore';
import { noteEmptying, trashChanged } from './trashSlice';

/** Milliseconds after which the window is drawn without its messages. */
const patience = 100;

/** Everything the first paint needs, asked for at once. */
export async function startSync(): Promise<void> {
  const api = client();
  const events = api.events.subscribe();
  const [info, workspace, settings] = await Promise.all([api.app.info(), api.workspace.state(), api.settings.get()]);
  const last = settings.workspace.interface.lastConversationId;
  const works = workspace.status !== 'failed';
  // Main answers in order, and the list of thousands takes it longer than the messages of one.
  const talk = works && last ? openConversation(last as ConversationId) : null;
  const list = works ? loadConversations() : null;
  // Drawing the window takes longer than the first answer: drawn once with it, the messages are seen earlier.
  await Promise.race([talk ?? list, new Promise((resolve) => setTimeout(resolve, patience))]);
  setInfo(info);
  setWorkspace(workspace);
  setSettings(settings);
  await Promise.all([talk, list]);
  if (works) void loadImports();
  void follow(events).catch(showFailure);
}

async function follow(events: ReturnType<ReturnType<typeof client>['events']['subscribe']>): Promise<void> {
  let epoch = '';
  let seq = 0;
  for await (const batch of await events) {
    const gap = epoch !== '' && (batch.epoch !== epoch || batch.seq !== seq + 1);
    epoch = batch.epoch;
    seq = batch.seq;
    if (gap) await refetchAll();
    applyBatch(batch);
  }
}

async function refetchAll(): Promise<void> {
  await Promise.all([loadConversations(), refreshTalk(), loadImports()]);
}

function applyBatch(batch: EventBatch): void {
  let refetch = false;
  for (const event of batch.events) refetch = applyEvent(event) || refetch;
  if (refetch) void refreshTalk();
}

// A turn may take many steps; a screen reader is told of its start and its end.
let announcedTurn: TurnId | null = null;
function announceStart(turnId: TurnId): void {
  if (turnId !== announcedTurn) announce('started');
  announcedTurn = turnId;
}
function announceEnd({ messageId, goesOn }: Extract<WindowEvent, { type: 'stepEnded' }>): void {
  if (!goesOn) announce(messageId ? 'ended' : 'failed');
}

/** True when the open conversation's view must be fetched anew. */
function applyEvent(event: WindowEvent): boolean {
  const open = talkState();
  switch (event.type) {
    case 'conversationChanged':
      applyConversation(event.conversation);
      applyOpenConversation(event.conversation);
      noteForkSide(event.conversation.id, event.conversation);
      // Moved by another window: this one's own moves come with their view.
      return open.conversationId === event.conversation.id && open.status === 'ready' && open.path.tipId !== event.conversation.tipId;
    case 'conversationRemoved':
      removeConversation(event.conversationId);
      noteForkSide(event.conversationId, null);
      if (open.conversationId === event.conversationId) startNewConversation();
      return false;
    case 'trashChanged':
      trashChanged();
      return false;
    case 'emptyProgress':
      noteEmptying(event.progress);
      return false;
    case 'talkChanged':
      return open.conversationId === event.conversationId;
    case 'forkProgress':
      noteForkProgress(event);
      return false;
    case 'passChanged':
      notePass(event);
      return false;
    case 'context.compacted':
      noteCompacted(event);
      return false;
    // In the list of receipts; the run goes on (L12).
    case 'context.compaction_failed':
      return false;
    case 'memoryChanged':
      memoryChanged(event);
      return false;
    case 'importProgress':
      noteImportProgress(event);
      return false;
    case 'importEnded':
      return applyImportEnd();
    case 'stepStarted':
      noteRunning(event.step.conversationId, event.step.id);
      if (open.conversationId === event.step.conversationId) announceStart(event.step.turnId);
      return open.conversationId === event.step.conversationId;
    case 'stepPhase':
      applyPhase(event);
      return false;
    case 'stepPart':
      noteRunning(event.conversationId, event.stepId);
      return changeStep(event.stepId, (step) => applyPart(step, event.index, event.part));
    case 'callChanged':
      return applyCallChange(event);
    case 'stepDelta':
      noteRunning(event.conversationId, event.stepId);
      return changeStep(event.stepId, (step) => applyDelta(step, event));
    case 'stepEnded':
      noteEnded(event.conversationId, event.stepId, event.messageId === null && open.conversationId !== event.conversationId);
      if (open.conversationId === event.conversationId) announceEnd(event);
      return open.conversationId === event.conversationId;
    case 'settingsChanged':
      applySettings(event.settings);
      return false;
    case 'workspaceChanged':
      setWorkspace(event.workspace);
      return false;
    case 'notice':
      showNotice(event.notice);
      return false;
    case 'command':
      if (event.window === appState().info?.window) window.dispatchEvent(new CustomEvent('bough:command', { detail: event.command }));
      return false;
    default:
      return assertNever(event);
  }
}

/** Models, agents and numbers decide what of a memory is sent, and how full the window is. */
function applySettings(settings: SettingsView): void {
  const decides = (view: SettingsView | null) => view && JSON.stringify([view.providers, view.agents, view.compaction]);
  const before = decides(appState().settings);
  setSettings(settings);
  const { conversationId } = talkState();
  const agent = nextAgentNow().agent;
  if (conversationId && agent && before !== decides(settings)) memoryChanged({ conversationId, agentId: agent.id });
}

function applyPhase({ conversationId, stepId, phase, retry, local }: Extract<WindowEvent, { type: 'stepPhase' }>): void {
  noteRunning(conversationId, stepId);
  // A view fetched meanwhile may be ahead of this event: once there is text, no earlier phase comes back.
  updateLiveStep(stepId, (step) =>
    step.parts.length > 0 && phase !== 'tools' ? step : { ...step, phase, retry, local: local ?? step.local },
  );
}

/** What is open may have got new messages. */
function applyImportEnd(): boolean {
  void noteImportEnded();
  void loadConversations();
  return talkState().conversationId !== null;
}

/** True when the step lacks what the change builds on. */
function changeStep(stepId: StepId, change: (step: LiveStep) => LiveStep | null): boolean {
  let gap = false;
  updateLiveStep(stepId, (step) => {
    const next = change(step);
    gap = next === null;
    return next ?? step;
  });
  return gap;
}

function applyCallChange({ conversationId, stepId, call }: Extract<WindowEvent, { type: 'callChanged' }>): boolean {
  noteRunning(conversationId, stepId);
  const waiting = noteCall(conversationId, stepId, call);
  const { conversationId: openId, ending } = talkState();
  if (openId !== conversationId) return false;
  if (waiting === 'began') announce('needsYou');
  // A step on another branch is only seen by whether it waits.
  if (ending?.type !== 'live' || ending.step.id !== stepId) return waiting !== null;
  return changeStep(stepId, (step) => applyCall(step, call));
}
