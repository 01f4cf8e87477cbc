import { describe, expect, it } from 'vitest';
import { type FailureCode, makeFailure } from '../../shared/model/failure';
import { type Adjustment, adjustments, nextAdjustment } from './adjust';

const all = new Set(adjustments);
const refused = (providerText: string, status: number | null = 400, code: FailureCode = 'badRequest') =>
  makeFailure(code, 'x', { detail: { providerText, ...(status === null ? {} : { status }) } });
const next = (text: string, applied: Adjustment[] = []) => nextAdjustment(refused(text), all, new Set(applied));

describe('what is left out after a refusal', () => {
  it.each<[string, Adjustment]>([
    ['Unrecognized request argument supplied: stream_options', 'noUsageOption'],
    ['[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]', 'noUsageOption'],
    ["Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'otherMaxTokens'],
    ['[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]', 'otherMaxTokens'],
    ["Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.", 'noTemperature'],
    ["Unsupported parameter: 'reasoning_effort' is not supported with this model.", 'noReasoningEffort'],
    ['"llama3.1:8b" does not support thinking', 'noReasoningEffort'],
    ['Budget 0 is invalid. This model only works in thinking mode.', 'noReasoningEffort'],
    ['Your organization must be verified to generate reasoning summaries.', 'noReasoningSummary'],
    ["Unsupported value: 'messages[0].role' does not support 'system' with this model.", 'systemAsUser'],
    ['Developer instruction is not enabled for models/gemma-3-27b-it', 'systemAsUser'],
    ['The `reasoning_content` in the thinking mode must be passed back to the API.', 'withReasoningEcho'],
    ['thinking is enabled but reasoning_content is missing in assistant tool call message at index 2', 'withReasoningEcho'],
    ["Unknown field 'reasoning_content' in messages[3]", 'noReasoningEcho'],
    ["Item 'rs_1' of type 'reasoning' was provided without its required following item.", 'noReasoningItems'],
    ['The encrypted content gAAA could not be verified.', 'noReasoningItems'],
    ["Unknown field 'reasoning_details' in messages[1]", 'noReasoningItems'],
    ['messages.1.content.0: Invalid `signature` in `thinking` block', 'noReasoningItems'],
    ['Encrypted content is not supported with this model.', 'noEncryptedReasoning'],
    ['Function call is missing a thought_signature in functionCall parts.', 'standInSignature'],
    ['Thought signature is not valid.', 'standInSignature'],
    ["Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got 64.", 'plainCallIds'],
    ["Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64.", 'plainCallIds'],
    ['Tool call id was call_Zx81 but must be a-z, A-Z, 0-9, with a length of 9.', 'plainCallIds'],
    ["messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", 'plainCallIds'],
    [
      "Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must have length less than or equal to 64",
      'plainCallIds',
    ],
    ["Unexpected role 'user' after role 'tool'", 'bridgeTools'],
    ['After the optional system message, conversation roles must alternate user/assistant/user/assistant/...', 'bridgeTools'],
  ])('P3: %s', (text, adjustment) => {
    expect(next(text)).toBe(adjustment);
  });

  it('P3: a template that takes no system role answers 500', () => {
    expect(nextAdjustment(refused('System role not supported', 500, 'serverError'), all, new Set())).toBe('systemAsUser');
  });

  it('P3: the second refusal of a limit drops it, the third gives up', () => {
    const text = "Unsupported parameter: 'max_tokens' is not supported with this model.";
    expect(next(text, ['otherMaxTokens'])).toBe('noMaxTokens');
    expect(next(text, ['otherMaxTokens', 'noMaxTokens'])).toBeNull();
  });

  it('P3: what was done about reasoning is not taken back', () => {
    expect(next("Unknown field 'reasoning_content'", ['withReasoningEcho'])).toBeNull();
    expect(next('reasoning_content is missing', ['noReasoningEcho'])).toBeNull();
  });

  it('P3: what would not change the request, what is no refusal, and what is no question of parameters is left alone', () => {
    expect(nextAdjustment(refused('temperature is not supported'), new Set(['noUsageOption']), new Set())).toBeNull();
    expect(next('max_tokens is too large: 99999. This model has at most 16384 completion tokens.')).toBeNull();
    expect(next('The temperature outside is unpleasant.')).toBeNull();
    for (const [status, code] of [
      [401, 'badKey'],
      [429, 'rateLimited'],
      [400, 'overflowTokens'],
      [503, 'serverError'],
      [null, 'serverError'],
    ] as const) {
      expect(nextAdjustment(refused('temperature is not supported', status, code), all, new Set())).toBeNull();
    }
  });

  it('P1: the version is tried for an address where nothing answers', () => {
    expect(nextAdjustment(refused('404 page not found', 404, 'badUrl'), all, new Set())).toBe('withVersion');
    expect(nextAdjustment(refused('Router login', null, 'badUrl'), all, new Set())).toBe('withVersion');
    expect(nextAdjustment(refused('redirects', 301, 'badUrl'), all, new Set())).toBeNull();
    expect(nextAdjustment(refused('404', 404, 'badUrl'), all, new Set(['withVersion'] as const))).toBeNull();
    expect(nextAdjustment(refused('404', 404, 'badUrl'), new Set(), new Set())).toBeNull();
  });
});
