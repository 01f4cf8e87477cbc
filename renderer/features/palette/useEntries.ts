// All that can be chosen in the palette: the window's commands, slash commands that have none of their own, conversations, agents, models, workspaces.
import type { TFunction } from 'i18next';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { commandTable } from '../../../shared/commands';
import type { Conversation } from '../../../shared/model/conversation';
import type { RecentWorkspace } from '../../../shared/model/workspace';
import { type WindowCommandEntry, windowCommands } from '../../../shared/windowCommands';
import { focusComposerEvent, tellWindowSoon } from '../../focusEvents';
import { loadModels, showFailure, useModels, useSettings, useWorkspace } from '../../state/appSlice';
import { client } from '../../state/client';
import { runChosen } from '../../state/commandSlice';
import { writeDraft } from '../../state/composerSlice';
import { uncoverTalk } from '../../state/layoutSlice';
import { chooseAgent, chooseModel, useNextAgent } from '../../state/nextAgent';
import { askInPalette } from '../../state/paletteSlice';
import { useKeysInUse } from '../../state/shortcutKeys';
import { openConversation } from '../../state/talkSlice';
import { runWindowCommand, whyNot } from '../../state/windowActs';
import { openFolder } from '../../state/workspaceActs';
import type { Entry } from './entries';

type T = TFunction<'palette'>;

/** A title that leads to a question says so by its dots. */
function commandEntry(t: T, command: WindowCommandEntry, keys: string | undefined): Entry {
  const { id, group, slash, asks } = command;
  const why = whyNot(id);
  return {
    key: id,
    title: t(`what.${id}`),
    group: t(`group.${group}`),
    slash,
    keys,
    why: why === null ? undefined : t(`why.${why}`),
    recallable: true,
    asks: asks !== undefined,
    run: () => (asks === undefined ? void runWindowCommand(id) : askInPalette(id)),
  };
}

/** Slash commands that only the message box has. What takes words is begun there. */
function slashEntries(t: T): Entry[] {
  const known = new Set<string>(windowCommands.flatMap(({ slash }) => slash ?? []));
  return commandTable
    .filter(({ name }) => !known.has(name))
    .map(({ name, pattern }) => ({
      key: `/${name}`,
      title: `/${name} ${pattern}`.trim(),
      group: t('slash'),
      slash: name,
      detail: t(`commands:help.${name}`),
      recallable: true,
      run: () => {
        if (pattern === '' || pattern.startsWith('[')) void runChosen(`/${name}`);
        else {
          writeDraft(`/${name} `);
          tellWindowSoon(focusComposerEvent);
        }
      },
    }));
}

const conversationEntry = (t: T, { id, title }: Conversation): Entry => ({
  key: id,
  title: t('goTo', { title: title || t('untitled') }),
  group: t('group.conversations'),
  recallable: false,
  found: true,
  run: () => {
    uncoverTalk();
    void openConversation(id);
    tellWindowSoon(focusComposerEvent);
  },
});

/** `plain`: by the name alone. */
export function useAgentEntries(plain = false): Entry[] {
  const { t } = useTranslation('palette');
  const agents = useSettings()?.agents;
  return useMemo(
    () =>
      (agents ?? []).map(({ id, name, model }) => ({
        key: id,
        title: plain ? name : t('answerWith', { name }),
        group: t('group.agents'),
        detail: model ?? undefined,
        recallable: false,
        found: !plain,
        run: () => chooseAgent(id),
      })),
    [agents, plain, t],
  );
}

export function useModelEntries(plain = false): Entry[] {
  const { t } = useTranslation('palette');
  const agentId = useNextAgent().agent?.id;
  const models = useModels();
  useEffect(() => {
    if (models === null) void loadModels();
  }, [models]);
  return useMemo(
    () =>
      (agentId === undefined ? [] : (models ?? [])).map((model) => ({
        key: model.ref,
        title: plain ? (model.name ?? model.id) : t('answerWith', { name: model.name ?? model.id }),
        group: t('group.agents'),
        detail: model.providerName,
        recallable: false,
        found: !plain,
        run: () => void (agentId && chooseModel(agentId, model.ref)),
      })),
    [agentId, models, plain, t],
  );
}

/** Asked for once, when the palette opens; the list in the sidebar may be narrowed. */
function useFetched<V>(ask: () => Promise<V[]>): V[] {
  const [values, setValues] = useState<V[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => {
    let gone = false;
    ask()
      .then((found) => gone || setValues(found))
      .catch(showFailure);
    return () => {
      gone = true;
    };
  }, []);
  return values;
}

const workspaceEntry = (t: T, { name, folder }: RecentWorkspace): Entry => ({
  key: folder,
  title: t('switchTo', { name }),
  group: t('group.workspace'),
  detail: folder,
  recallable: false,
  found: true,
  run: () => openFolder(folder),
});

/** Made once, not at each letter: there may be thousands of conversations. */
export function useEntries(): Entry[] {
  const { t } = useTranslation('palette');
  const keys = useKeysInUse();
  const folder = useWorkspace()?.folder;
  const conversations = useFetched<Conversation>(() => client().conversations.list({ archived: false }));
  const workspaces = useFetched<RecentWorkspace>(() => client().workspace.recent());
  const agents = useAgentEntries();
  const models = useModelEntries();
  return useMemo(
    () => [
      ...windowCommands.filter(({ keysOnly }) => keysOnly !== true).map((command) => commandEntry(t, command, keys.get(command.id))),
      ...slashEntries(t),
      ...conversations.map((conversation) => conversationEntry(t, conversation)),
      ...agents,
      ...models,
      ...workspaces.filter((other) => other.exists && other.folder !== folder).map((other) => workspaceEntry(t, other)),
    ],
    [t, keys, folder, conversations, workspaces, agents, models],
  );
}
