import { describe, expect, it } from 'vitest';
import { parseSettings } from './parseSettings';

const full = {
  version: 1,
  providers: [
    {
      id: 'local',
      name: 'Local',
      kind: 'openai-chat',
      baseUrl: 'http://127.0.0.1:8080/v1',
      apiKey: '${MY_KEY}',
      models: [{ id: 'm1', contextWindow: 32000, maxOutput: 4000, vision: true, tools: true }],
    },
  ],
  agents: [{ id: 'helper', name: 'Helper', model: 'local/m1', systemPrompt: '…', tools: ['read_file'], approval: 'ask' }],
  roles: { title: 'local/m1', compaction: 'local/m1' },
  compaction: { threshold: 0.7, requestThreshold: 0.85, retainedTokens: 20000, protectTokens: 16000, minSavings: 4000 },
};

describe('settings.json', () => {
  it('U8, W2: a file written before the first start is taken whole, and there is no first run', () => {
    const { settings, problems } = parseSettings(JSON.stringify(full));
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({ ...full, onboarded: true });
    expect(parseSettings(null).settings.onboarded).toBe(false);
  });

  it('W2, R3: what is wrong is said with its place, what is right is used', () => {
    const text = JSON.stringify({
      ...full,
      providers: [...full.providers, { id: 'x', name: 'X', kind: 'telepathy' }],
      preferences: { theme: 'pink' },
    });
    const { settings, problems } = parseSettings(text);
    expect(settings.providers.map((provider) => provider.id)).toEqual(['local']);
    expect(settings.preferences.theme).toBe('system');
    expect(problems).toEqual([
      { file: 'user', path: 'providers.1.kind', message: 'must be one of openai-chat, openai-responses, gemini, demo' },
      { file: 'user', path: 'preferences.theme', message: 'must be one of system, light, dark' },
    ]);
  });

  it.each([
    ['{"version": 1,', ''],
    ['[]', ''],
    ['{"version": 2}', 'version'],
    ['{}', 'version'],
    ['', ''],
  ])('R3: %j is no settings file; defaults hold and the place is said', (text, path) => {
    const { settings, problems } = parseSettings(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path).toBe(path);
    expect(settings.providers).toEqual([]);
    expect(settings.onboarded).toBe(true);
  });

  it('W2, R3: one bad value does not undo the others beside it', () => {
    const { settings, problems } = parseSettings(
      JSON.stringify({
        ...full,
        compaction: { threshold: 'much', minSavings: 100 },
        preferences: { theme: 'dark', textSize: 'big', sendKey: 'mod' },
        roles: { title: 'nothing', compaction: 'local/m1' },
      }),
    );
    expect(problems.map(({ path }) => path)).toEqual([
      'roles.title',
      'compaction.threshold',
      'preferences.textSize',
      'preferences.sendKey',
    ]);
    expect(settings.compaction).toEqual({ minSavings: 100 });
    expect(settings.preferences).toMatchObject({ theme: 'dark', textSize: 100, sendKey: 'enter' });
    expect(settings.roles).toEqual({ compaction: 'local/m1' });
  });

  it('A2: a tool that there is not is said with its place, the agent has the others', () => {
    const { settings, problems } = parseSettings(
      JSON.stringify({ ...full, agents: [{ ...full.agents[0], tools: ['read_file', 'raed_file'] }] }),
    );
    expect(problems).toMatchObject([{ path: 'agents.0.tools.1' }]);
    expect(settings.agents[0]?.tools).toContain('read_file');
  });

  it('W2: keys that this program does not know survive', () => {
    const { raw } = parseSettings(JSON.stringify({ ...full, future: { a: 1 } }));
    expect(raw.future).toEqual({ a: 1 });
  });

  it('W2: an id used twice is said, the first one counts', () => {
    const { settings, problems } = parseSettings(
      JSON.stringify({ ...full, agents: [...full.agents, { ...full.agents[0], name: 'Other' }] }),
    );
    expect(settings.agents.map((agent) => agent.name)).toEqual(['Helper']);
    expect(problems[0]?.message).toContain('used twice');
  });

  it('W2: a threshold may be null, a share or tokens, never zero or negative', () => {
    expect(parseSettings(JSON.stringify({ version: 1, compaction: { threshold: null, requestThreshold: 90000 } })).problems).toEqual([]);
    expect(parseSettings(JSON.stringify({ version: 1, compaction: { threshold: 0 } })).problems).toHaveLength(1);
  });
});
