// How an answer ends, the same for every dialect: a good end, a cut, a refusal, or a 200 with nothing in it.
import { type FailureCode, makeFailure } from '../../shared/model/failure';
import type { FinishReason, ProviderEvent } from '../../shared/model/request';

export type Heard = {
  sawText: boolean;
  sawReasoning: boolean;
  /** Whether it called a tool that it was given. */
  sawCalls?: boolean | undefined;
  /** The provider's word for why it stopped, if it said one. */
  word: string | null;
  /** Whether the body ended with a mark that says that it is whole (`[DONE]`, a complete document). */
  marked: boolean;
  /** What else it said (a block reason, safety ratings). */
  detail?: string | undefined;
};

const finishWords: Record<string, FinishReason> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  eos: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  content_filter: 'filtered',
  safety: 'filtered',
  refusal: 'filtered',
  recitation: 'filtered',
  blocklist: 'filtered',
  prohibited_content: 'filtered',
  spii: 'filtered',
  image_safety: 'filtered',
  language: 'filtered',
  tool_calls: 'toolCalls',
  function_call: 'toolCalls',
  tool_use: 'toolCalls',
};

/** Gemini's words for calls that it could not finish, or was not allowed to make. */
const brokenCallWords: ReadonlySet<string> = new Set([
  'malformed_function_call',
  'unexpected_tool_call',
  'too_many_tool_calls',
  'missing_thought_signature',
  'malformed_response',
]);

export function endOf(heard: Heard): ProviderEvent {
  const word = heard.word?.toLowerCase() ?? null;
  const said = heard.detail ?? heard.word ?? undefined;
  const broken = brokenOff(word, heard, said);
  if (broken) return broken;
  const meant = word === null ? 'stop' : (finishWords[word] ?? 'other');
  // Many servers end an answer with calls like any other.
  const finish = heard.sawCalls && meant === 'stop' ? 'toolCalls' : meant;
  const nothing = heard.sawText || heard.sawCalls ? null : withoutText(finish, heard, said);
  if (nothing) return nothing;
  const detail = finish === 'other' || finish === 'filtered' ? said : heard.detail;
  return { type: 'done', finish, ...(detail === undefined ? {} : { detail }) };
}

/** Ends that are failures whatever was said before. */
function brokenOff(word: string | null, heard: Heard, said: string | undefined): ProviderEvent | null {
  if (word === 'model_context_window_exceeded')
    return failed('overflowTokens', 'The request does not fit in the context window of this model.', said);
  if (word !== null && brokenCallWords.has(word))
    return failed(heard.sawText ? 'badResponse' : 'emptyAnswer', 'The model wrote a tool call that cannot be used.', said);
  if (word === 'error') return failed('serverError', 'The provider broke off with an error.', said);
  if (word !== null || heard.marked) return null;
  return heard.sawText || heard.sawReasoning || heard.sawCalls
    ? failed('connectionLost', 'The connection was lost before the answer was complete.', said)
    : failed('emptyAnswer', 'The provider sent an empty answer.', said);
}

/** An answer without a word is only an answer when the output limit came before the first one. */
function withoutText(finish: FinishReason, heard: Heard, said: string | undefined): ProviderEvent | null {
  switch (finish) {
    case 'length':
      return null;
    case 'filtered':
      return failed('refused', 'The provider blocked this answer because of its content.', said);
    case 'toolCalls':
      return failed('emptyAnswer', 'The model asked for a tool that it was not given, and said nothing.', said);
    default:
      return failed(
        'emptyAnswer',
        heard.sawReasoning ? 'The model thought but gave no answer.' : 'The provider sent an empty answer.',
        said,
      );
  }
}

function failed(code: FailureCode, message: string, providerText: string | undefined): ProviderEvent {
  const retryable = code !== 'refused' && code !== 'overflowTokens';
  return {
    type: 'failed',
    failure: makeFailure(code, message, { retryable, ...(providerText === undefined ? {} : { detail: { providerText } }) }),
  };
}
