// What belongs to the user: providers, models, agents, preferences.
import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { agentParametersSchema, agentSchema } from '../model/agent';
import { compactionSettingsSchema } from '../model/compaction';
import type { Failure } from '../model/failure';
import { agentId, providerId } from '../model/ids';
import { modelInfoSchema, type OfferedModel, providerConfigSchema } from '../model/provider';
import { preferencesChangeSchema, rolesSchema, type SettingsView } from '../model/settings';
import { nothing, out } from './parts';

/** How a key typed in the window is kept (W3); `keep` leaves what is stored. */
const keyChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('keep') }),
  z.object({ action: z.literal('clear') }),
  z.object({
    action: z.literal('set'),
    value: z.string().check(z.minLength(1), z.maxLength(10_000)),
    storage: z.enum(['keychain', 'plain', 'session']),
  }),
]);
const providerInput = z.omit(providerConfigSchema, { apiKey: true });
export type ProviderTest = { ok: boolean; models: OfferedModel[]; failure?: Failure | undefined };
export type LocalServer = { name: string; kind: 'openai-chat'; baseUrl: string; models: OfferedModel[] };

export const settingsContract = {
  settings: {
    get: oc.output(out<SettingsView>()),
    /** Whether the system keychain can encrypt. Asked only where a key is entered: on Linux the question may open a dialog. */
    askKeychain: oc.output(out<{ available: boolean }>()),
    savePreferences: oc.input(preferencesChangeSchema).output(out<SettingsView>()),
    saveRoles: oc.input(rolesSchema).output(out<SettingsView>()),
    /** The user's numbers of the ladder as a whole; what is left out is as set first. */
    saveCompaction: oc.input(compactionSettingsSchema).output(out<SettingsView>()),
    saveProvider: oc.input(z.object({ provider: providerInput, key: keyChange })).output(out<SettingsView>()),
    removeProvider: oc.input(z.object({ providerId })).output(out<SettingsView>()),
    /** Asks the server for its models with the given (not yet saved) values, or with the stored key on `keep`. */
    testProvider: oc.input(z.object({ provider: providerInput, key: keyChange })).output(out<ProviderTest>()),
    discoverLocal: oc.output(out<LocalServer[]>()),
    models: oc
      .input(z.object({ refresh: z.boolean() }))
      .output(out<{ models: OfferedModel[]; failures: { providerId: string; failure: Failure }[] }>()),
    saveModel: oc.input(z.object({ providerId, model: modelInfoSchema })).output(out<SettingsView>()),
    /** Forgets what refusals taught of a model (L7), `providerId/modelId`. */
    forgetLimit: oc.input(z.object({ model: z.string().check(z.minLength(1)) })).output(out<SettingsView>()),
    saveAgent: oc.input(z.object({ agent: agentSchema })).output(out<SettingsView>()),
    removeAgent: oc.input(z.object({ agentId })).output(out<SettingsView>()),
    /** Ends the first run: keeps what was set up and makes the demo agent when nothing else can answer. */
    finishOnboarding: oc.input(z.object({ model: z.nullable(z.string()) })).output(out<SettingsView>()),
    /** Moves keys written by hand into settings.json into the keychain. */
    moveKeysToKeychain: oc.output(out<SettingsView>()),
    revealFile: oc.output(nothing),
  },
  agents: {
    /** Changes that belong to an agent but are made beside the composer. */
    setModel: oc.input(z.object({ agentId, model: z.string() })).output(out<SettingsView>()),
    setParameters: oc.input(z.object({ agentId, parameters: agentParametersSchema })).output(out<SettingsView>()),
  },
};
