// Reads an order out of what the user wrote. Pure: the same words give the same plan.

import { prose } from './prose';
import { everything, help, type SampleName, samples } from './samples';
import type { DemoCall } from './steps';

export type DemoFailure =
  | '429'
  | '500'
  | '503'
  | '401'
  | '403'
  | '404'
  | 'overflow'
  | 'bytes'
  | 'refused'
  | 'hang'
  | 'cut'
  | 'empty'
  | 'length'
  | 'picture'
  | 'vision';
export type Speed = 'natural' | 'fast' | 'slow';

export type Plan = {
  /** Streamed as reasoning before the text; empty for none. */
  thoughts: string;
  text: string;
  /** Tools called after the text. */
  calls: DemoCall[];
  speed: Speed;
  failure: DemoFailure | null;
  /** Fails on every first try of a request and succeeds on the next. */
  onlyOnce: boolean;
  /** Whether the words held an order: otherwise the text is the help. */
  isOrder: boolean;
};

const noPicture = 'I was told to refuse a picture, and there is none here.';
const maxWords = 20_000;
const maxCount = 100_000;
const failureNames: readonly (readonly [RegExp, DemoFailure])[] = [
  [/vision|blind|(?:all|every|any) (?:picture|image)/, 'vision'],
  [/picture|image/, 'picture'],
  [/429|rate limit/, '429'],
  [/500|server error/, '500'],
  [/503|overload/, '503'],
  [/401|bad key|wrong key/, '401'],
  [/403|forbidden/, '403'],
  [/404|unknown model/, '404'],
  [/overflow|too long|context/, 'overflow'],
  [/too large|413|bytes/, 'bytes'],
  [/refus|filter|safety/, 'refused'],
  [/hang|timeout|silence/, 'hang'],
  [/cut|lost|drop|broken/, 'cut'],
  [/empty|nothing/, 'empty'],
  [/length|limit/, 'length'],
];
const sampleWords: readonly (readonly [RegExp, SampleName])[] = [
  [/\btables?\b/, 'table'],
  [/\bcode\b/, 'code'],
  [/\b(?:math|formulas?|equations?|latex)\b/, 'math'],
  [/\b(?:mermaid|diagrams?|charts?)\b/, 'mermaid'],
  [/\blists?\b/, 'list'],
  [/\bquot(?:e|es|ation)\b/, 'quote'],
];

export function readOrder(words: string): Plan {
  const lower = words.toLowerCase();
  const failing = /\bfail(?:s|ure)?\b\s*(?:with|by|as|:)?\s*(.*)/s.exec(lower)?.[1];
  const failure = failing === undefined ? null : (failureNames.find(([pattern]) => pattern.test(failing))?.[1] ?? '500');
  const text = answerText(words, lower);
  return {
    thoughts: /\b(?:think|thinking|reason)\b/.test(lower) ? thoughtsAbout(words) : '',
    text: text ?? (failure === 'picture' || failure === 'vision' ? noPicture : failure ? prose(60) : help),
    calls: [],
    speed: speedOf(lower),
    failure,
    onlyOnce: failing !== undefined && /\bonce\b/.test(failing),
    isOrder: text !== null || failure !== null,
  };
}

function answerText(words: string, lower: string): string | null {
  const say = /(?:^|[\s,.:;])say[:,]?\s+(.+)/is.exec(words)?.[1];
  if (say) return say.trim().replace(/^(["'“”«])(.*)["'“”»]$/s, '$2');
  const written = /\bwrite\b[^\d]{0,40}(\d[\d,]*)\s+words?/.exec(lower)?.[1];
  if (written) return prose(between(1, maxWords, written));
  const counted = /\bcount\b[^\d]{0,20}(\d[\d,]*)/.exec(lower)?.[1];
  if (counted) return Array.from({ length: between(1, maxCount, counted) }, (_, index) => index + 1).join(' ');
  if (!/\b(?:show|draw|give|make|print|display)\b/.test(lower)) return null;
  if (/\beverything\b/.test(lower)) return everything();
  const shown = sampleWords.filter(([pattern]) => pattern.test(lower)).map(([, name]) => samples[name]);
  return shown.length > 0 ? shown.join('\n\n') : null;
}

function speedOf(lower: string): Speed {
  if (/\b(?:fast|quick|quickly|at once)\b/.test(lower)) return 'fast';
  return /\b(?:slow|slowly)\b/.test(lower) ? 'slow' : 'natural';
}

function thoughtsAbout(words: string): string {
  const start = words.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `The user wrote: “${start}”. I look for an order in it that I know. Then I decide how long the answer has to be, and in which form it reads best. That is clear enough, so I begin.`;
}

function between(low: number, high: number, digits: string): number {
  return Math.min(high, Math.max(low, Number(digits.replaceAll(',', ''))));
}
