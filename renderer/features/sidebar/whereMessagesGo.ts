// Whether anything a person writes can leave this computer, in one word for the foot of the sidebar.
import type { SettingsView } from '../../../shared/model/settings';

export type Where = { kind: 'nowhere' | 'demo' | 'local' | 'one' | 'many'; name: string; count: number };

const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/;

function isLocal(baseUrl: string | undefined): boolean {
  if (!baseUrl) return false;
  try {
    return local.test(new URL(baseUrl).hostname);
  } catch {
    return false;
  }
}

export function whereMessagesGo(providers: SettingsView['providers']): Where {
  const real = providers.filter((provider) => provider.kind !== 'demo');
  const away = real.filter((provider) => !isLocal(provider.baseUrl));
  const base = { name: away[0]?.name ?? '', count: away.length };
  if (real.length === 0) return { kind: providers.length > 0 ? 'demo' : 'nowhere', ...base };
  if (away.length === 0) return { kind: 'local', ...base };
  return { kind: away.length === 1 ? 'one' : 'many', ...base };
}
