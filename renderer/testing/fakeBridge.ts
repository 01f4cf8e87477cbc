// The contract answered by main in memory: what component tests and the look-at harness connect to.
import { createRouterClient, implement, ORPCError } from '@orpc/server';
import { contract } from '../../shared/contract';
import type { Agent } from '../../shared/model/agent';
import { emptyDraft } from '../../shared/model/draft';
import type { EventBatch } from '../../shared/model/events';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { type AgentId, type MessageId, makeNewId } from '../../shared/model/ids';
import { preferencesSchema, type SettingsView } from '../../shared/model/settings';
import type { Bridge } from '../bridge';
import { carryHandlers } from './fakeCarries';
import { compareHandlers } from './fakeCompare';
import { exportArea } from './fakeExports';
import { forkHandlers } from './fakeForks';
import { importArea } from './fakeImports';
import {
  addConversation,
  addMessage,
  answerTo,
  changeConversation,
  changeSettings,
  conversationOf,
  endOf,
  type FakeMain,
  failStep,
  finishStep,
  makeAttachment,
  makeModels,
  makeSettings,
  messageOf,
  moveTip,
  openView,
  partsOf,
  pathTo,
  placeOf,
  versionsUnder,
  viewOfMessage,
} from './fakeMain';
import { memoryArea } from './fakeMemory';
import { outlineArea } from './fakeOutline';
import { searchArea } from './fakeSearch';
import { approvalsArea, callResultHandlers, checkpointsArea, queueArea } from './fakeToolAreas';
import { trashAreas } from './fakeTrash';

/** Ids never repeat, as in life: what a window remembers by id cannot leak from one test to the next. */
let id = 0;

/** An empty main with one workspace, two agents (Helper and Demo) and three models. */
export function createFakeMain(): FakeMain {
  let clock = Date.UTC(2026, 10, 30, 9, 0, 0);
  let seq = 0;
  const main: Omit<FakeMain, 'bridge'> = {
    conversations: new Map(),
    messages: new Map(),
    children: new Map(),
    remembered: new Map(),
    live: new Map(),
    failed: new Map(),
    checkpoints: [],
    labels: [],
    pins: [],
    trash: [],
    queue: [],
    carries: [],
    results: new Map(),
    touched: [],
    drafts: new Map(),
    settings: makeSettings(),
    models: makeModels(),
    workspace: { folder: '/home/ada/thesis', name: 'thesis', status: 'open', backups: [] },
    texts: new Map(),
    context: { tokens: 5200, window: 32_000 },
    calls: [],
    keychain: true,
    failNext: new Map(),
    answers: {},
    onStep: () => undefined,
    onAnswer: () => undefined,
    subscribers: new Set(),
    emit: (...events) => {
      seq += 1;
      for (const send of main.subscribers) send({ epoch: 'e1', seq, events });
    },
    now: () => ++clock,
    newId: makeNewId(() => String(++id).padStart(26, '0')),
  };
  const whole: FakeMain = Object.assign(main, { bridge: {} as Bridge });
  whole.bridge = makeBridge(whole);
  return whole;
}

const orpc = implement(contract);

/** Writes down each call and answers with the failure a test asked for; failures reach the window as main's gate sends them. */
const gate = (main: FakeMain) =>
  orpc.middleware(async ({ next, path }, input, output) => {
    const name = path.join('.');
    main.calls.push({ name, input });
    const failure = main.failNext.get(name);
    main.failNext.delete(name);
    if (failure) throw new ORPCError('FAILURE', { data: failure });
    const answer = main.answers[name]?.();
    if (answer !== undefined) return output(answer);
    try {
      return await next();
    } catch (error) {
      if (error instanceof FailureError) throw new ORPCError('FAILURE', { data: error.failure, cause: error });
      throw error;
    }
  });

function makeBridge(main: FakeMain): Bridge {
  const router = orpc.use(gate(main)).router({
    events: { subscribe: orpc.events.subscribe.handler(() => events(main)) },
    app: appArea(),
    workspace: workspaceArea(main),
    settings: settingsArea(main),
    conversations: conversationsArea(main),
    talk: talkArea(main),
    tree: treeArea(main),
    checkpoints: checkpointsArea(main),
    ...trashAreas(main),
    outline: outlineArea(main),
    queue: queueArea(main),
    export: exportArea(main),
    imports: importArea(main),
    memory: memoryArea(),
    search: searchArea(main),
    approvals: approvalsArea(main),
    turn: turnArea(main),
    drafts: {
      get: orpc.drafts.get.handler(({ input: { key } }) => main.drafts.get(key) ?? emptyDraft),
      save: orpc.drafts.save.handler(({ input: { key, draft } }) => void main.drafts.set(key, draft)),
    },
    attachments: attachmentsArea(main),
    agents: {
      setModel: orpc.agents.setModel.handler(({ input: { agentId, model } }) => changeAgent(main, agentId, { model })),
      setParameters: orpc.agents.setParameters.handler(({ input: { agentId, parameters } }) => changeAgent(main, agentId, { parameters })),
    },
  });
  return createRouterClient(router);
}

/** Batches wait here until the window asks, as on the port. */
async function* events(main: FakeMain): AsyncGenerator<EventBatch, void, void> {
  const waiting: EventBatch[] = [];
  let wake: () => void = () => undefined;
  const take = (batch: EventBatch) => {
    waiting.push(batch);
    wake();
  };
  main.subscribers.add(take);
  try {
    for (;;) {
      for (let batch = waiting.shift(); batch; batch = waiting.shift()) yield batch;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    main.subscribers.delete(take);
  }
}

const appArea = () => ({
  info: orpc.app.info.handler(() => ({
    version: '0.1.0',
    window: 1,
    electron: '25.1.1',
    platform: 'linux',
    locale: 'en',
    systemDark: false,
    development: true,
  })),
  openExternal: orpc.app.openExternal.handler(() => undefined),
  copyText: orpc.app.copyText.handler(() => undefined),
});

const workspaceArea = (main: FakeMain) => ({
  state: orpc.workspace.state.handler(() => main.workspace),
  recent: orpc.workspace.recent.handler(() => [
    { folder: main.workspace.folder, name: main.workspace.name, openedAt: main.now(), exists: true },
  ]),
  choose: orpc.workspace.choose.handler(() => main.workspace),
  open: orpc.workspace.open.handler(() => main.workspace),
  retry: orpc.workspace.retry.handler(() => main.workspace),
  restoreBackup: orpc.workspace.restoreBackup.handler(() => main.workspace),
  reveal: orpc.workspace.reveal.handler(() => undefined),
  saveInterface: orpc.workspace.saveInterface.handler(({ input: change }) => {
    const { workspace } = main.settings;
    main.settings = { ...main.settings, workspace: { ...workspace, interface: { ...workspace.interface, ...change } } };
  }),
});

function changeAgent(main: FakeMain, agentId: AgentId, change: Partial<Agent>): SettingsView {
  return changeSettings(main, { agents: main.settings.agents.map((agent) => (agent.id === agentId ? { ...agent, ...change } : agent)) });
}

const settingsArea = (main: FakeMain) => ({
  get: orpc.settings.get.handler(() => main.settings),
  askKeychain: orpc.settings.askKeychain.handler(() => ({ available: main.keychain })),
  savePreferences: orpc.settings.savePreferences.handler(({ input: change }) => {
    const stated = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return changeSettings(main, { preferences: preferencesSchema.parse({ ...main.settings.preferences, ...stated }) });
  }),
  saveRoles: orpc.settings.saveRoles.handler(({ input: roles }) => changeSettings(main, { roles })),
  saveCompaction: orpc.settings.saveCompaction.handler(({ input: compaction }) => changeSettings(main, { compaction })),
  saveProvider: orpc.settings.saveProvider.handler(({ input: { provider, key } }) => {
    const others = main.settings.providers.filter((known) => known.id !== provider.id);
    const keySource =
      key.action === 'set' ? key.storage : (main.settings.providers.find((known) => known.id === provider.id)?.keySource ?? 'none');
    return changeSettings(main, { providers: [...others, { ...provider, keySource }] });
  }),
  removeProvider: orpc.settings.removeProvider.handler(({ input: { providerId } }) =>
    changeSettings(main, { providers: main.settings.providers.filter((known) => known.id !== providerId) }),
  ),
  testProvider: orpc.settings.testProvider.handler(({ input: { provider } }) => ({
    ok: true,
    models: main.models.filter((model) => model.providerId === provider.id),
  })),
  discoverLocal: orpc.settings.discoverLocal.handler(() => []),
  models: orpc.settings.models.handler(() => ({ models: main.models, failures: [] })),
  saveModel: orpc.settings.saveModel.handler(({ input: { providerId, model } }) => {
    main.models = main.models.map((known) => (known.providerId === providerId && known.id === model.id ? { ...known, ...model } : known));
    if (model.contextWindow) main.context = { ...main.context, window: model.contextWindow };
    return changeSettings(main, {});
  }),
  forgetLimit: orpc.settings.forgetLimit.handler(({ input }) => {
    main.models = main.models.map(({ learned, ...model }) => (model.ref === input.model || !learned ? model : { ...model, learned }));
    return main.settings;
  }),
  saveAgent: orpc.settings.saveAgent.handler(({ input: { agent } }) =>
    changeSettings(main, { agents: [...main.settings.agents.filter((known) => known.id !== agent.id), agent] }),
  ),
  removeAgent: orpc.settings.removeAgent.handler(({ input: { agentId } }) =>
    changeSettings(main, { agents: main.settings.agents.filter((agent) => agent.id !== agentId) }),
  ),
  finishOnboarding: orpc.settings.finishOnboarding.handler(() => changeSettings(main, { onboarded: true })),
  moveKeysToKeychain: orpc.settings.moveKeysToKeychain.handler(() => main.settings),
  revealFile: orpc.settings.revealFile.handler(() => undefined),
});

const conversationsArea = (main: FakeMain) => ({
  ...forkHandlers(main),
  list: orpc.conversations.list.handler(({ input: { query = '', archived } }) =>
    [...main.conversations.values()]
      .filter((row) => row.archived === archived && row.title.toLowerCase().includes(query.toLowerCase()))
      .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt),
  ),
  rename: orpc.conversations.rename.handler(({ input: { conversationId, title } }) =>
    changeConversation(main, conversationId, { title, titleSource: 'user' }),
  ),
  setPinned: orpc.conversations.setPinned.handler(({ input: { conversationId, pinned } }) =>
    changeConversation(main, conversationId, { pinned }),
  ),
  setArchived: orpc.conversations.setArchived.handler(({ input: { conversationId, archived } }) =>
    changeConversation(main, conversationId, { archived }),
  ),
  setAgent: orpc.conversations.setAgent.handler(({ input: { conversationId, agentId } }) =>
    changeConversation(main, conversationId, { agentId }),
  ),
});

const talkArea = (main: FakeMain) => ({
  ...callResultHandlers(main),
  open: orpc.talk.open.handler(({ input: { conversationId, count, offset } }) => openView(main, conversationId, count, offset)),
  slice: orpc.talk.slice.handler(({ input: { conversationId, tipId, offset, count } }) => {
    if (conversationOf(main, conversationId).tipId !== tipId) throw new FailureError(makeFailure('conflict', 'The tip has moved.'));
    const items = pathTo(main, tipId).slice(offset, offset + count);
    return { offset, items: items.map((message, index) => viewOfMessage(main, message, offset + index)) };
  }),
  context: orpc.talk.context.handler(() => {
    const { tokens, window } = main.context;
    const blocks = [
      { name: 'system' as const, tokens: Math.round(tokens * 0.1) },
      { name: 'messages' as const, tokens: tokens - Math.round(tokens * 0.1) },
      { name: 'reserve' as const, tokens: 4000 },
    ];
    const lines = { threshold: window && window * 0.7, requestThreshold: window && window * 0.85 };
    return { tokens, window, blocks, reported: true, lines };
  }),
});

const treeArea = (main: FakeMain) => ({
  ...compareHandlers(main),
  ...carryHandlers(main),
  goTo: orpc.tree.goTo.handler(({ input: { conversationId, messageId } }) => moveTip(main, conversationId, messageId)),
  show: orpc.tree.show.handler(({ input: { conversationId, messageId } }) => {
    const onPath = pathTo(main, conversationOf(main, conversationId).tipId).some(({ id }) => id === messageId);
    if (!onPath) moveTip(main, conversationId, endOf(main, conversationId, messageId));
    const depth = pathTo(main, messageId).length - 1;
    return { view: openView(main, conversationId, 50, Math.max(0, depth - 12)), depth };
  }),
  goToSibling: orpc.tree.goToSibling.handler(({ input: { conversationId, parentId, from, direction } }) => {
    const { messages, live, failed } = versionsUnder(main, conversationId, parentId);
    const places: (MessageId | null)[] = [...messages, ...[...live, ...failed].map(() => null)];
    const to = places[places.lastIndexOf(from) + (direction === 'next' ? 1 : -1)];
    if (to === undefined) throw new FailureError(makeFailure('notFound', 'There is no other version.'));
    return moveTip(main, conversationId, to === null ? parentId : endOf(main, conversationId, to));
  }),
  forward: orpc.tree.forward.handler(({ input: { conversationId } }) => {
    const { tipId } = conversationOf(main, conversationId);
    const next = main.children.get(placeOf(conversationId, tipId))?.at(-1);
    return next ? moveTip(main, conversationId, endOf(main, conversationId, next)) : openView(main, conversationId);
  }),
});

const turnArea = (main: FakeMain) => ({
  start: orpc.turn.start.handler(({ input: { conversationId, text, attachments, agentId } }) => {
    const conversation = conversationId
      ? conversationOf(main, conversationId)
      : addConversation(main, { title: text.slice(0, 60), ...(agentId ? { agentId } : {}) });
    return answerTo(main, addMessage(main, { conversationId: conversation.id, role: 'user', parts: partsOf(text, attachments) }));
  }),
  edit: orpc.turn.edit.handler(({ input: { conversationId, messageId, text, attachments } }) => {
    const { parentId } = messageOf(main, messageId);
    moveTip(main, conversationId, parentId);
    return answerTo(main, addMessage(main, { conversationId, parentId, role: 'user', parts: partsOf(text, attachments) }));
  }),
  editAnswer: orpc.turn.editAnswer.handler(({ input: { conversationId, messageId, text } }) => {
    const { parentId, agentId, model } = messageOf(main, messageId);
    moveTip(main, conversationId, parentId);
    const message = addMessage(main, { conversationId, parentId, role: 'assistant', agentId, model, text, edited: true });
    main.emit({ type: 'talkChanged', conversationId });
    return { conversationId, messageId: message.id, stepId: null };
  }),
  regenerate: orpc.turn.regenerate.handler(({ input: { messageId } }) => {
    const message = messageOf(main, messageId);
    return answerTo(main, message.role === 'user' || message.parentId === null ? message : messageOf(main, message.parentId));
  }),
  continue: orpc.turn.continue.handler(({ input: { messageId } }) => answerTo(main, messageOf(main, messageId))),
  retry: orpc.turn.retry.handler(({ input: { failedTurnId } }) => {
    const turn = main.failed.get(failedTurnId);
    if (!turn) throw new FailureError(makeFailure('nothingToRetry', 'There is nothing to retry.'));
    main.failed.delete(failedTurnId);
    return answerTo(main, messageOf(main, turn.parentId));
  }),
  stop: orpc.turn.stop.handler(({ input: { conversationId, stepId } }) => {
    for (const step of [...main.live.values()]) {
      if (step.conversationId !== conversationId || (stepId && step.id !== stepId)) continue;
      if (step.parts.length > 0) finishStep(main, step.id, { status: 'interrupted' });
      else failStep(main, step.id, makeFailure('stopped', 'You stopped this answer before it began.', { retryable: true }));
    }
  }),
});

const attachmentsArea = (main: FakeMain) => ({
  addPath: orpc.attachments.addPath.handler(({ input: { path } }) =>
    makeAttachment(path.split('/').at(-1) ?? path, path.endsWith('.png') ? 'image/png' : 'text/plain', 2048),
  ),
  addBytes: orpc.attachments.addBytes.handler(async ({ input: { name, mime, bytes } }) => {
    if (name.endsWith('.exe')) {
      throw new FailureError(makeFailure('fileUnsupported', 'Bough cannot read this kind of file.', { detail: { path: name } }));
    }
    const made = makeAttachment(name, mime || 'text/plain', bytes.size);
    main.texts.set(made.hash, await bytes.text());
    return made;
  }),
  choose: orpc.attachments.choose.handler(() => ({ added: [], refused: [] })),
  text: orpc.attachments.text.handler(({ input: { hash } }) => ({ text: main.texts.get(hash) ?? '' })),
});
