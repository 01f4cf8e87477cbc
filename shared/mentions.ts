// Which agents a text addresses (A1): `@name`, read alike by the composer, which shows who will answer, and by main, which asks them.
import type { AgentId } from './model/ids';

type Named = { readonly id: AgentId; readonly name: string };

/** Scripts written without spaces: a name may stand directly beside their letters. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
/** Not inside a word, an e-mail address, a web address or behind an escape. */
const wordStart = `(?<![\\p{L}\\p{N}_.%+\\-@/\\\\])|(?<=[${unspaced}])`;
/** The name ends here: no letter goes on, and no `.org`, `-bot` or `/package` either. */
const nameEnd = `(?![\\-./@]?(?![${unspaced}])[\\p{L}\\p{N}_])`;

/** The agents in order of appearance, each once. Names are compared without case, the longest that fits wins; code addresses nobody. */
export function mentionedAgents(text: string, agents: readonly Named[]): AgentId[] {
  const named = agents.filter(({ name }) => name.trim() !== '').sort((a, b) => b.name.length - a.name.length);
  if (named.length === 0 || !text.includes('@')) return [];
  const names = named.map(({ name }) => `(${patternOf(name)})`).join('|');
  const pattern = new RegExp(`(?:${wordStart})@(?:${names})${nameEnd}`, 'giu');
  const found = new Set<AgentId>();
  for (const [, ...groups] of withoutCode(text.normalize('NFC')).matchAll(pattern)) {
    const agent = named[groups.findIndex((group) => group !== undefined)];
    if (agent) found.add(agent.id);
  }
  return [...found];
}

function patternOf(name: string): string {
  const words = name.normalize('NFC').trim().split(/\s+/);
  return words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('[^\\S\\n]+');
}

const fences = [
  /^ {0,3}(`{3,})[^`\n]*$[\s\S]*?(?:^ {0,3}\1`*[ \t]*$|(?![\s\S]))/gm,
  /^ {0,3}(~{3,}).*$[\s\S]*?(?:^ {0,3}\1~*[ \t]*$|(?![\s\S]))/gm,
];

/** The text with a grave accent in the place of each piece of code. */
function withoutCode(text: string): string {
  if (!/`|~~~/.test(text)) return text;
  const prose = fences.reduce((rest, fence) => rest.replace(fence, '\n\n`\n\n'), text);
  return prose
    .split(/\n[^\S\n]*\n/)
    .map(withoutInlineCode)
    .join('\n\n');
}

/** Code is what stands between two runs of grave accents of one length, in one paragraph. */
function withoutInlineCode(paragraph: string): string {
  const closes = new Map<number, number>();
  const nextOfLength = new Map<number, number>();
  const runs = [...paragraph.matchAll(/`+/g)].map((run) => ({ from: run.index, length: run[0].length }));
  // Backwards, so that each run knows the next of its length: a text of many open ones is still read once.
  for (const run of [...runs].reverse()) {
    const close = nextOfLength.get(run.length);
    if (close !== undefined) closes.set(run.from, close);
    nextOfLength.set(run.length, run.from);
  }
  let kept = '';
  let from = 0;
  for (const run of runs) {
    const close = closes.get(run.from);
    if (close === undefined || run.from < from) continue;
    kept += `${paragraph.slice(from, run.from)}\``;
    from = close + run.length;
  }
  return kept + paragraph.slice(from);
}
