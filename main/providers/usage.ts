// Token counts of every dialect as one Usage. `input` is everything the model read, cached part included; `output` everything it wrote, reasoning included.
import type { Usage } from '../../shared/model/message';

type Fields = Record<string, unknown>;

/** Reads a usage object of OpenAI (chat, responses), Anthropic-like gateways, Gemini, or a whole chunk of Ollama or llama.cpp; null when it holds no count. */
export function readUsage(raw: unknown): Usage | null {
  if (!isFields(raw)) return null;
  return fromGemini(raw) ?? fromOpenAi(raw) ?? fromOllama(raw) ?? fromTimings(raw['timings']);
}

function fromOpenAi(raw: Fields): Usage | null {
  const read = count(raw['prompt_tokens']) ?? count(raw['input_tokens']);
  const wrote = count(raw['completion_tokens']) ?? count(raw['output_tokens']);
  if (read === undefined && wrote === undefined) return null;
  const cachedApart = count(raw['cache_read_input_tokens']);
  const created = count(raw['cache_creation_input_tokens']) ?? 0;
  const promptDetails = fields(raw['prompt_tokens_details'] ?? raw['input_tokens_details']);
  const outputDetails = fields(raw['completion_tokens_details'] ?? raw['output_tokens_details']);
  const cached =
    count(promptDetails['cached_tokens']) ?? count(raw['prompt_cache_hit_tokens']) ?? count(raw['cached_tokens']) ?? cachedApart;
  // Anthropic's names count cached tokens beside the input, all others inside it.
  const apart = raw['prompt_tokens'] === undefined && cachedApart !== undefined ? cachedApart + created : 0;
  return usage((read ?? 0) + apart, wrote ?? 0, count(outputDetails['reasoning_tokens']) ?? count(raw['reasoning_tokens']), cached);
}

function fromGemini(raw: Fields): Usage | null {
  const read = count(raw['promptTokenCount']);
  const wrote = count(raw['candidatesTokenCount']);
  const thought = count(raw['thoughtsTokenCount']);
  if (read === undefined && wrote === undefined && thought === undefined) return null;
  const tools = count(raw['toolUsePromptTokenCount']) ?? 0;
  return usage((read ?? 0) + tools, (wrote ?? 0) + (thought ?? 0), thought, count(raw['cachedContentTokenCount']));
}

function fromOllama(raw: Fields): Usage | null {
  const read = count(raw['prompt_eval_count']);
  const wrote = count(raw['eval_count']);
  return read === undefined && wrote === undefined ? null : usage(read ?? 0, wrote ?? 0, undefined, undefined);
}

/** llama.cpp: `prompt_n` is what was evaluated now, `cache_n` what was taken from its cache. */
function fromTimings(raw: unknown): Usage | null {
  const timings = fields(raw);
  const read = count(timings['prompt_n']);
  const wrote = count(timings['predicted_n']);
  if (read === undefined || wrote === undefined) return null;
  const cached = count(timings['cache_n']);
  return usage(read + (cached ?? 0), wrote, undefined, cached);
}

function usage(input: number, output: number, reasoning: number | undefined, cachedInput: number | undefined): Usage {
  return { input, output, ...(reasoning === undefined ? {} : { reasoning }), ...(cachedInput === undefined ? {} : { cachedInput }) };
}

function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? Math.round(number) : undefined;
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
