// What of a history is told on pages (S6): who speaks, every word of user and assistant text, calls and results with their middle left out. No
// reasoning, no opaque data. Linear in the length of the history. Pure.
import type { AgentId, BlobHash, MessageId } from '../../../shared/model/ids';
import type { Elision } from '../../../shared/model/memoryRecord';
import type { Message, ToolCallPart } from '../../../shared/model/message';
import type { Step, StepResult } from '../../../shared/model/transcript';

/** Every mark of Bough begins with it; what was said cannot contain it. */
export const mark = '¶';
/** Characters of one thing that are told. */
export const mostOfArguments = 500;
export const mostOfResult = 2000;
/** Of a result's characters, its beginning. */
const headShare = 0.6;
const longestName = 60;
const longestId = 120;

export type Told = {
  /** In the order of the path. */
  messages: readonly Message[];
  /** The agent's own, as its transcript has them; without one a call has its summary only. */
  steps?: ReadonlyMap<MessageId, Step> | undefined;
  agentNames?: ReadonlyMap<AgentId, string> | undefined;
  /** Texts of files by their hash. */
  texts?: ReadonlyMap<BlobHash, string> | undefined;
  /** Results that were left out of requests already (L2): their summaries are told, as the model had them. */
  elided?: readonly Elision[] | undefined;
};

/** `missing`: characters that were left out, each place of which is marked. */
export type ToldText = { text: string; missing: number };

export function tellHistory({ messages, steps, agentNames, texts, elided = [] }: Told): ToldText {
  const left = new Set(elided.map(({ messageId, callId }) => `${messageId} ${callId}`));
  const pieces: string[] = [];
  let missing = 0;
  const say = (head: string, { text, cut }: Cut) => {
    pieces.push(`${mark}${head}: ${text}\n`);
    missing += cut;
  };
  for (const message of messages) {
    const results = new Map(steps?.get(message.id)?.results.map((result) => [result.callId, result]));
    const who = speaker(message, agentNames);
    for (const part of message.parts) {
      if (part.type === 'text' && part.text.trim() !== '') say(who, whole(part.text));
      if (part.type === 'image') say('image', whole(shortened(part.name, longestName)));
      if (part.type === 'file') say(`file ${shortened(part.name, longestName)}`, fileText(part.textHash, texts, message.id));
      if (part.type === 'toolCall') {
        const isElided = left.has(`${message.id} ${part.callId}`);
        for (const [head, cut] of callTexts(part, results.get(part.callId), isElided)) say(head, cut);
      }
    }
  }
  return { text: pieces.join(''), missing };
}

type Cut = { text: string; cut: number };

function speaker({ role, status, agentId }: Message, names: Told['agentNames']): string {
  if (role === 'user') return 'user';
  if (role === 'digest') return 'note about another branch';
  const name = agentId === undefined ? undefined : names?.get(agentId);
  const who = name === undefined ? 'assistant' : `assistant ${shortened(name, longestName)}`;
  return status === 'interrupted' ? `${who}, broke off` : who;
}

function callTexts(part: ToolCallPart, result: StepResult | undefined, isElided: boolean): [head: string, cut: Cut][] {
  const args = headAndTail(part.arguments, { most: mostOfArguments, share: 1, id: part.callId });
  const failed = part.outcome ?? result?.outcome ?? (part.isError || result?.isError ? 'failed' : undefined);
  const body = result?.content ?? result?.summary ?? part.summary ?? '[no result]';
  const told = isElided
    ? summaryAlone(result?.summary ?? part.summary ?? '', body, part.callId)
    : headAndTail(body, { most: mostOfResult, share: headShare, id: part.callId });
  return [
    [`call ${shortened(part.name, longestName)}`, args],
    [failed ? `result, ${failed}` : 'result', told],
  ];
}

/** Nothing is missing of a result that is its summary. */
function summaryAlone(summary: string, body: string, id: string): Cut {
  const [said, all] = [cleaned(summary), cleaned(body)];
  return said === all ? { text: said, cut: 0 } : { text: `${said} ${leftOut(all.length, id)}`.trim(), cut: all.length };
}

const leftOut = (count: number, id: string) =>
  `${mark}[${count} characters left out; recall ${JSON.stringify({ id: shortened(id, longestId) })} shows them]`;

function fileText(hash: BlobHash | undefined, texts: Told['texts'], messageId: MessageId): Cut {
  const text = hash && texts?.get(hash);
  return text === undefined ? whole('[its text is not here]') : headAndTail(text, { most: mostOfResult, share: headShare, id: messageId });
}

const whole = (text: string): Cut => ({ text: cleaned(text), cut: 0 });

/** At most `most` characters, with a mark that says how many are missing and how to have them again. */
function headAndTail(text: string, { most, share, id }: { most: number; share: number; id: string }): Cut {
  const said = cleaned(text);
  if (said.length <= most) return { text: said, cut: 0 };
  const head = wholePairs(said, Math.floor(most * share));
  const tail = wholePairs(said, said.length - (most - Math.floor(most * share)));
  const cut = tail - head;
  return { text: `${said.slice(0, head)} ${leftOut(cut, id)} ${said.slice(tail)}`.trimEnd(), cut };
}

/** A place that parts no pair of surrogates. */
export function wholePairs(text: string, at: number): number {
  const isInside = /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '');
  return isInside ? at - 1 : at;
}

/** One line of a name or id. */
function shortened(name: string, most: number): string {
  const line = cleaned(name).replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, wholePairs(line, most - 1))}…`;
}

/** Escape sequences of terminals; a text that is not ended stays. */
const ansi = new RegExp(
  [
    String.raw`\u001b\][^\u0007\u001b\u009c]{0,2000}(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[PX^_][^\u001b]{0,2000}\u001b\\`,
    String.raw`\u001b\[[0-?]{0,100}[ -/]{0,10}[@-~]?`,
    String.raw`\u001b[ -/]{0,3}[0-~]?`,
  ].join('|'),
  'g',
);
const dataUrl = /\bdata:([\w.+-]{1,60}\/[\w.+-]{1,80})?((?:;[\w.+-]{1,40}(?:=[\w.+"-]{1,80})?){0,5}),([\w+/=%-]{40,})/g;
/** What has no look: controls but line breaks and tabs, marks of direction and joining, selectors of a form. */
const unseen = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const halfPairs = /\p{Cs}/gu;
const signsOfLines = /\r\n?|[\u2028\u2029\u0085\v\f]/g;

/** What can be said of a text, on a page and beside it: nothing in it can pass for a mark of Bough. */
export function cleaned(text: string): string {
  return text
    .replaceAll(ansi, '')
    .replaceAll(dataUrl, (_, type: string | undefined, more: string, data: string) => {
      return `[data URL left out: ${type ?? 'text/plain'}${more.includes('base64') ? ' in base64' : ''}, ${data.length} characters]`;
    })
    .replaceAll(signsOfLines, '\n')
    .replaceAll(unseen, (one) => (one === '\n' || one === '\t' ? one : ''))
    .replaceAll(halfPairs, (half) => `[U+${half.charCodeAt(0).toString(16).toUpperCase()}]`)
    .replaceAll(mark, '[U+00B6]');
}
