// Families of readers (S2) by their products' names, which are the same in every language; docs/snapshot.md has their pages. Pure.

export const readerNames: Record<string, string> = {
  'claude-high': 'Claude Opus 4.7+, Sonnet 5+',
  claude: 'Claude',
  'gpt-4.1-mini': 'GPT-4.1 mini, GPT-5 mini',
  'gpt-4.1-nano': 'GPT-4.1 nano, GPT-5 nano',
  'o4-mini': 'o4-mini',
  'gpt-4o': 'GPT-4o, GPT-4.1',
  o1: 'o1, o3',
  'gpt-5': 'GPT-5',
  'gpt-5.1': 'GPT-5.1–5.3',
  'gpt-5.4': 'GPT-5.4+',
  'gpt-6': 'GPT-6',
  'gemini-2.5': 'Gemini 2.5',
  'gemini-3': 'Gemini 3+',
  grok: 'Grok',
  kimi: 'Kimi',
  glm: 'GLM',
};

/** Null for the family of those that are not known; one that a later version named is told as it stands. */
export function readerName(family: string): string | null {
  return family === 'unknown' ? null : (readerNames[family] ?? family);
}
