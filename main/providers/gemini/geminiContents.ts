// The messages of a ModelRequest as Gemini's contents: all calls of a step in one, their responses equal in number and order in the next.
import type { Content, FunctionResponse, Part } from '@google/genai/web';
import type { ModelRequest, RequestMessage, RequestPart, ToolResultRequestPart } from '../../../shared/model/request';
import type { Adjustments } from '../adjust';
import { loadParts, type Reader } from '../images';
import type { Connection } from '../port';
import { readSignature, standInSignature } from '../signatures';
import { argumentsObject } from '../toolArguments';

export async function geminiContents(request: ModelRequest, connection: Connection, applied: Adjustments): Promise<Content[]> {
  const ids = givenIds(request);
  const reader: Reader = { modelId: request.modelId, connection };
  return Promise.all(
    request.messages.map(async (message): Promise<Content> => {
      if (message.role === 'assistant') return { role: 'model', parts: modelParts(message, ids, applied) };
      if (message.role === 'user' || message.role === 'system') return { role: 'user', parts: await userParts(message.parts, reader) };
      const results = message.parts.flatMap((part) => (part.type === 'toolResult' ? [part] : []));
      const pictures = results.flatMap((result) => result.images ?? []);
      return { role: 'user', parts: [...results.map((result) => response(result, ids)), ...(await userParts(pictures, reader))] };
    }),
  );
}

/** Ids that Gemini gave itself; it is not told those that were made up here or by other models. */
function givenIds(request: ModelRequest): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { parts } of request.messages)
    for (const part of parts) {
      const id = part.type === 'toolCall' ? readSignature(part.vendor)?.id : undefined;
      if (part.type === 'toolCall' && id !== undefined) ids.set(part.callId, id);
    }
  return ids;
}

/** Reasoning goes back only with its signature, never as plain text. */
function modelParts(message: RequestMessage, ids: Map<string, string>, applied: Adjustments): Part[] {
  const first = message.parts.find((part) => part.type === 'toolCall');
  return message.parts.flatMap((part): Part[] => {
    if (part.type === 'text') return [{ text: part.text, ...signatureOf(part) }];
    if (part.type === 'reasoning') {
      const signature = signatureOf(part);
      return signature.thoughtSignature === undefined ? [] : [{ text: part.text, thought: true, ...signature }];
    }
    if (part.type !== 'toolCall') return [];
    const id = ids.get(part.callId);
    const signature = signatureOf(part);
    const standIn = part === first && signature.thoughtSignature === undefined && applied.has('standInSignature');
    return [
      {
        functionCall: { ...(id === undefined ? {} : { id }), name: part.name, args: argumentsObject(part.arguments) },
        ...(standIn ? { thoughtSignature: standInSignature } : signature),
      },
    ];
  });
}

function signatureOf(part: Extract<RequestPart, { type: 'text' | 'reasoning' | 'toolCall' }>): { thoughtSignature?: string } {
  const thoughtSignature = readSignature(part.vendor)?.thoughtSignature;
  return thoughtSignature === undefined ? {} : { thoughtSignature };
}

function response(result: ToolResultRequestPart, ids: Map<string, string>): Part {
  const id = ids.get(result.callId);
  const functionResponse: FunctionResponse = {
    ...(id === undefined ? {} : { id }),
    name: result.name,
    response: result.isError ? { error: result.content } : { output: result.content },
  };
  return { functionResponse };
}

async function userParts(parts: readonly RequestPart[], reader: Reader): Promise<Part[]> {
  return (await loadParts(parts, reader)).flatMap((part): Part[] => {
    if (part.type === 'text') return [{ text: part.text }];
    return part.type === 'image' ? [{ inlineData: { mimeType: part.mime, data: part.base64 } }] : [];
  });
}
