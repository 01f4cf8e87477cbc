// What a server refuses to take in a request is left out and tried once more, and remembered for this run (parameters, not answers).
import type { Failure } from '../../shared/model/failure';

export const adjustments = [
  'noUsageOption',
  'otherMaxTokens',
  'noMaxTokens',
  'noTemperature',
  'noReasoningSummary',
  'noReasoningEffort',
  'noReasoningEcho',
  'withReasoningEcho',
  'noReasoningItems',
  'noEncryptedReasoning',
  'standInSignature',
  'bridgeTools',
  'plainCallIds',
  'systemAsUser',
  'withVersion',
] as const;
export type Adjustment = (typeof adjustments)[number];
export type Adjustments = ReadonlySet<Adjustment>;

const refusal =
  /unsupported|not support|n['’]t support|unrecognized|unknown|unexpected|extra|not permitted|forbidden|invalid (?:parameter|argument|value)|not allowed|only the default|must be verified|no such|cannot|can['’]t|is invalid|not enabled|only works/i;

type Rule = {
  name: Adjustment;
  /** Names the thing that was refused. */
  text: RegExp;
  /** The text alone is the refusal. */
  alone?: true;
  /** Would take back what this one did. */
  opposite?: Adjustment;
};
/** In the order in which they are tried. */
const rules: readonly Rule[] = [
  {
    name: 'standInSignature',
    text: /missing (?:a )?thought.?signature|thought.?signature (?:is )?(?:missing|required|not valid|invalid)/i,
    alone: true,
  },
  {
    name: 'withReasoningEcho',
    text: /reasoning_content\W[^.]*(?:must be (?:passed|sent) back|missing|required)|missing[^.]*reasoning_content/i,
    alone: true,
    opposite: 'noReasoningEcho',
  },
  {
    name: 'plainCallIds',
    text: /(?:tool.?call.?id|\bcall_id|tool_calls?\[\d+\]\W{0,3}id|tool_?use\W{0,3}(?:tool_?use_?)?id)\b.*(?:too long|maximum length|length of|length less|must be a-z|should match|pattern)/is,
    alone: true,
  },
  { name: 'noReasoningEcho', text: /reasoning_content|[`'".]reasoning[`'"]/i, opposite: 'withReasoningEcho' },
  { name: 'noEncryptedReasoning', text: /reasoning\.encrypted_content|encrypted content is not|['"`]include['"`]/i },
  {
    name: 'noReasoningItems',
    text: /encrypted[ _]content|reasoning['"`]? (?:was provided|item)|item ['"`]?rs_|reasoning_details|signature['"`]? in ['"`]?thinking|thinking block/i,
    alone: true,
  },
  { name: 'bridgeTools', text: /role ['"`]?user['"`]? after role ['"`]?tool|roles must alternate/i, alone: true },
  { name: 'noUsageOption', text: /stream_options|include_usage/i },
  { name: 'otherMaxTokens', text: /max_tokens|max_completion_tokens/i },
  { name: 'noMaxTokens', text: /max_(?:completion_|output_)?tokens|maxOutputTokens/i },
  { name: 'noTemperature', text: /temperature/i },
  { name: 'noReasoningSummary', text: /reasoning\.summary|reasoning summar|include_?thoughts/i },
  { name: 'noReasoningEffort', text: /reasoning(?!_content)|thinking|effort/i },
  {
    name: 'systemAsUser',
    text: /system role|role['"`]? does not support ['"`]?system|role ["'`]?system|developer instruction|systemInstruction|system message/i,
  },
];

/** `usable` are the ones that would change this request: the rest cannot help. Null when the failure is about something else. */
export function nextAdjustment(failure: Failure, usable: Adjustments, applied: Adjustments): Adjustment | null {
  const { status, providerText = '' } = failure.detail ?? {};
  if (failure.code === 'badUrl' && (status === undefined || status === 404 || status === 405))
    return usable.has('withVersion') && !applied.has('withVersion') ? 'withVersion' : null;
  if (failure.code !== 'badRequest' && failure.code !== 'serverError') return null;
  if (status === undefined || status === 401 || status === 403 || status > 501) return null;
  const isRefusal = refusal.test(providerText);
  const fits = ({ name, text, alone, opposite }: Rule) =>
    usable.has(name) && !applied.has(name) && !(opposite && applied.has(opposite)) && (isRefusal || alone) && text.test(providerText);
  return rules.find(fits)?.name ?? null;
}

/** Per server and model: what it refused in this run of the program. */
export class AdjustmentMemory {
  readonly #known = new Map<string, Set<Adjustment>>();

  get(key: string): Set<Adjustment> {
    return new Set(this.#known.get(key));
  }

  keep(key: string, applied: Adjustments): void {
    if (applied.size > 0) this.#known.set(key, new Set(applied));
  }
}
