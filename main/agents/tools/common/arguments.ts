// What a model sends as arguments is a text that should be one JSON object, and often is not quite. Pure.
import { ToolError } from './definition';

/** Throws `ToolError` with what is wrong, so that the model can send it again. Nothing at all means no arguments. */
export function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  const value = parse(text);
  // Some models wrap the object in a string once more.
  const inner = typeof value === 'string' ? parse(value) : value;
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) throw new ToolError('The arguments must be one JSON object.');
  return inner;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolError(`The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
