// A ModelRequest as the parameters of generateContentStream.
import type { Content, GenerateContentConfig, GenerateContentParameters, Part, ThinkingConfig } from '@google/genai/web';
import type { ModelRequest, RequestMessage } from '../../../shared/model/request';
import type { Adjustment, Adjustments } from '../adjust';
import { catalogEntry } from '../catalog';
import { loadParts } from '../images';
import type { Connection } from '../port';

export function usableAdjustments(request: ModelRequest): Adjustment[] {
  const { temperature, maxOutput, reasoningEffort } = request.parameters;
  return [
    'noReasoningSummary',
    ...(reasoningEffort === undefined ? [] : (['noReasoningEffort'] as const)),
    ...(maxOutput === undefined ? [] : (['noMaxTokens'] as const)),
    ...(temperature === undefined ? [] : (['noTemperature'] as const)),
    ...(request.system.trim() === '' ? [] : (['systemAsUser'] as const)),
  ];
}

export async function geminiParameters(
  request: ModelRequest,
  connection: Connection,
  applied: Adjustments,
): Promise<GenerateContentParameters> {
  const { temperature, maxOutput } = request.parameters;
  const contents = await Promise.all(request.messages.map((message) => content(message, connection)));
  const config: GenerateContentConfig = {};
  if (request.system.trim() !== '') {
    if (applied.has('systemAsUser')) contents[0]?.parts?.unshift({ text: request.system });
    else config.systemInstruction = request.system;
  }
  if (temperature !== undefined && !applied.has('noTemperature')) config.temperature = temperature;
  if (maxOutput !== undefined && !applied.has('noMaxTokens')) config.maxOutputTokens = maxOutput;
  const thinking = thinkingConfig(request, applied);
  if (thinking) config.thinkingConfig = thinking;
  return { model: request.modelId.replace(/^models\//, ''), contents, config };
}

/** Reasoning goes back only with its signature, never as plain text. */
async function content(message: RequestMessage, connection: Connection): Promise<Content> {
  const parts = (await loadParts(message.parts, connection)).flatMap((part): Part[] => {
    if (part.type === 'text') return [{ text: part.text }];
    return part.type === 'image' ? [{ inlineData: { mimeType: part.mime, data: part.base64 } }] : [];
  });
  return { role: message.role === 'assistant' ? 'model' : 'user', parts };
}

const budgets = { off: 0, low: 1024, medium: 8192, high: 24_576 } as const;

function thinkingConfig(request: ModelRequest, applied: Adjustments): ThinkingConfig | null {
  const { reasoningEffort } = request.parameters;
  const known = catalogEntry(request.modelId);
  if (known?.reasoning === false) return null;
  const config: ThinkingConfig = {};
  if (!applied.has('noReasoningSummary') && reasoningEffort !== 'off' && (known?.reasoning || reasoningEffort !== undefined))
    config.includeThoughts = true;
  // A level is refused by models before 3; the budget is taken by all.
  if (reasoningEffort !== undefined && !applied.has('noReasoningEffort')) config.thinkingBudget = budgets[reasoningEffort];
  return Object.keys(config).length > 0 ? config : null;
}
