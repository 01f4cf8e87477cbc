// Providers and keys of an evaluation: those of the user's settings file, and the demo, which needs neither.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRedactor, type Logger } from '../../main/lib/logger';
import { openSecrets } from '../../main/user/secrets';
import { openUserSettings } from '../../main/user/userSettings';
import { splitModel } from '../../shared/model/agent';
import { FailureError } from '../../shared/model/failure';
import type { ProviderId } from '../../shared/model/ids';
import type { ProviderConfig } from '../../shared/model/provider';
import { EvaluationProblem } from './evaluationProblem';

const demo: ProviderConfig = { id: 'demo' as ProviderId, name: 'Demo', kind: 'demo', models: [] };
const quiet: Logger = { log: () => undefined, with: () => quiet };

/** Where the program keeps its settings. */
export function settingsFile(env: NodeJS.ProcessEnv = process.env, platform = process.platform, home = homedir()): string {
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library/Application Support'),
    win32: env['APPDATA'] ?? join(home, 'AppData/Roaming'),
  };
  return join(folders[platform] ?? (env['XDG_CONFIG_HOME'] || join(home, '.config')), 'Bough', 'settings.json');
}

/** The providers of these models, with their keys. */
export async function providersOf(
  file: string,
  models: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<ProviderConfig[]> {
  const settings = openUserSettings(file);
  const problem = settings.problems()[0];
  if (problem) throw new EvaluationProblem(`${file} is not understood at ${problem.path || 'its beginning'}: ${problem.message}`);
  const keychain = { available: async () => false, encrypt: refuse, decrypt: refuse };
  const secrets = openSecrets(join(dirname(file), 'secrets.json'), { keychain, redactor: createRedactor(), logger: quiet, env });
  const { providers } = settings.get();
  const known = providers.some(({ kind }) => kind === 'demo') ? providers : [...providers, demo];
  const wanted = [...new Set(models.map((model) => splitModel(model).providerId))];
  return Promise.all(
    wanted.map(async (id) => {
      const provider = known.find((one) => one.id === id);
      if (!provider)
        throw new EvaluationProblem(`There is no provider "${id}" in ${file}. There are: ${known.map((one) => one.id).join(', ')}.`);
      const { apiKey: _asWritten, ...rest } = provider;
      const key = await keyOf(() => secrets.keyOf(provider), provider.name);
      return key === null ? rest : { ...rest, apiKey: key };
    }),
  );
}

async function keyOf(read: () => Promise<string | null>, name: string): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    throw new EvaluationProblem(
      `The key of ${name} is in the system keychain, which only the program itself can read. Write the provider into a settings file of its own with "apiKey": "\${NAME}", and name that file with --settings.`,
    );
  }
}

async function refuse(): Promise<string> {
  throw new Error('There is no keychain outside the program.');
}
