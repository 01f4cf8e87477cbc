// What makes a text no card, whatever its headings say: a refusal, the transcript given back, calls written as text, a forged frame. Pure.
import { memoryEnd, memoryStart, referencedFiles } from '../wording';

/** Kept in the receipt, told to the model for its repair. `emptyAnswer` and `refused` are codes of failures, too. */
export const cardFaults = [
  'emptyAnswer',
  'refused',
  'oversized',
  'cut',
  'noHeadings',
  'noTask',
  'incomplete',
  'transcript',
  'toolCall',
  'forgedFrame',
] as const;
export type CardFault = (typeof cardFaults)[number];

const refusals = [
  String.raw`i['’]?m (?:really |very |so )?sorry|sorry\b|i apologi[sz]e|i (?:can(?:not|['’]t| not)|am unable|['’]m unable|am not able|['’]m not able|won['’]t|must decline)|as an ai\b|unfortunately,? i `,
  'es tut mir leid|tut mir leid|leider kann ich|ich kann (?:dabei|dir|ihnen|das|dies)',
  'je suis désolée?|désolée?|je ne peux pas|je ne suis pas en mesure',
  'lo siento|no puedo (?:ayudar|hacer|continuar|proporcionar)|mi dispiace|non posso|desculpe|sinto muito|não posso|het spijt me|ik kan (?:je |u )?(?:daar|dat|niet)',
  'извините|простите|к сожалению|я не могу|вибачте|на жаль|я не можу|przykro mi|przepraszam|nie mogę|üzgünüm|maalesef',
  '抱歉|对不起|對不起|很抱歉|我无法|我無法|我不能|申し訳|すみません|お手伝いできません|죄송|도와드릴 수 없',
];
const refusal = new RegExp(String.raw`^[^\p{L}]*(?:${refusals.join('|')})`, 'iu');

/** Short, and begins with the words that models decline with. */
export function isRefusal(text: string): boolean {
  return text.length < 600 && refusal.test(text);
}

const call =
  /^\s*(?:<\/?(?:tool_calls?|function_calls?|invoke|tool_use|tool_response|function)\b|\[tool_calls?\]|<\|(?:tool|python_tag|channel|im_|start|end)|```tool_(?:code|call))/i;
const jsonCall = /^\s*(?:```\w*\s*)?[[{][^{}]{0,200}"(?:name|tool|function)"\s*:\s*(?:"|\{)/;
const frames = [
  cutAtDot(memoryStart),
  cutAtDot(memoryEnd),
  '[Auto-read file:',
  referencedFiles([]).slice(0, 17),
  '[Digest.',
  '[End of the digest.',
].map((mark) => mark.toLowerCase());
const mark =
  /^\[(?:user|assistant\b[^\]]*|tool calls|with|gave|digest of another branch|first request|last request|counts|turns|files, the last touched first)\]\s*$/i;
const speaker = /^(?:\*\*)?(user|human|assistant|system|tool)(?:\*\*)?\s*:/i;
const echoed = /^\| .*[^|\s]\s*$/;

function cutAtDot(text: string): string {
  return text.slice(0, text.indexOf('.'));
}

const isForged = (line: string) => frames.some((frame) => line.toLowerCase().includes(frame));
const isQuoted = (line: string) => line.trimStart().startsWith('>');

/** What a card must not hold, and what a text without headings is instead. Quoted lines are only told. */
export function oddIn(text: string): CardFault[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !isQuoted(line));
  const faults: CardFault[] = [];
  if (lines.some(isForged)) faults.push('forgedFrame');
  if (lines.some((line) => call.test(line))) faults.push('toolCall');
  if (isTranscript(lines)) faults.push('transcript');
  return faults;
}

/** The whole of it is a call. */
export function isCall(text: string): boolean {
  return call.test(text) || jsonCall.test(text.slice(0, 500));
}

function isTranscript(lines: readonly string[]): boolean {
  const speakers = lines.map((line) => speaker.exec(line)?.[1]?.toLowerCase()).filter((name) => name !== undefined);
  const pipes = lines.filter((line) => echoed.test(line)).length;
  return (
    lines.filter((line) => mark.test(line)).length >= 2 ||
    (speakers.length >= 4 && new Set(speakers).size >= 2) ||
    (pipes >= 5 && pipes > lines.length * 0.4)
  );
}

/** The same text with every line quoted that could be taken for something else. */
export function quoteOdd(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const isOdd = isForged(line) || call.test(line) || mark.test(line) || speaker.test(line) || echoed.test(line);
      return isOdd && !isQuoted(line) ? `> ${line}` : line;
    })
    .join('\n');
}
