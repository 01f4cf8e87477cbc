// A ModelRequest as the parameters of generateContentStream.
import type { GenerateContentConfig, GenerateContentParameters, ThinkingConfig } from '@google/genai/web';
import type { ModelRequest } from '../../../shared/model/request';
import type { Adjustment, Adjustments } from '../adjust';
import { catalogEntry } from '../catalog';
import type { Connection } from '../port';
import { geminiContents } from './geminiContents';

export function usableAdjustments(request: ModelRequest): Adjustment[] {
  const { temperature, maxOutput, reasoningEffort } = request.parameters;
  return [
    'noReasoningSummary',
    ...(reasoningEffort === undefined ? [] : (['noReasoningEffort'] as const)),
    ...(maxOutput === undefined ? [] : (['noMaxTokens'] as const)),
    ...(temperature === undefined ? [] : (['noTemperature'] as const)),
    ...(request.system.trim() === '' ? [] : (['systemAsUser'] as const)),
    ...(request.messages.some(({ role }) => role === 'tool') ? (['standInSignature'] as const) : []),
  ];
}

export async function geminiParameters(
  request: ModelRequest,
  connection: Connection,
  applied: Adjustments,
): Promise<GenerateContentParameters> {
  const { temperature, maxOutput } = request.parameters;
  const contents = await geminiContents(request, connection, applied);
  const config: GenerateContentConfig = {};
  if (request.system.trim() !== '') {
    if (applied.has('systemAsUser')) contents[0]?.parts?.unshift({ text: request.system });
    else config.systemInstruction = request.system;
  }
  if (temperature !== undefined && !applied.has('noTemperature')) config.temperature = temperature;
  if (maxOutput !== undefined && !applied.has('noMaxTokens')) config.maxOutputTokens = maxOutput;
  const thinking = thinkingConfig(request, applied);
  if (thinking) config.thinkingConfig = thinking;
  if (request.tools?.length) {
    const functionDeclarations = request.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      parametersJsonSchema: inputSchema,
    }));
    config.tools = [{ functionDeclarations }];
  }
  return { model: request.modelId.replace(/^models\//, ''), contents, config };
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
