// What a model sends as a call's arguments is a text that should be one JSON object, and often is not quite. Pure.

/** `error` says what is wrong with it, in words for the model. Nothing at all means no arguments. */
export type CallArguments = { value: Record<string, unknown> } | { error: string };

export function readCallArguments(text: string): CallArguments {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    // Some models wrap the object in a string once more.
    const inner: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return isObject(inner) ? { value: inner } : { error: 'The arguments must be one JSON object.' };
  } catch (error) {
    return { error: `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
