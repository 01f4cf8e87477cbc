// Reading JSON columns: another program may have written them, so each has a schema and a fallback that loses nothing.
import type * as z from 'zod/mini';

/** The value of a JSON text, or undefined when it is none. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The value behind `schema`, or undefined when the column is empty, no JSON or of another shape. */
export function readJson<T>(json: string | null, schema: z.ZodMiniType<T>): T | undefined {
  if (json === null) return undefined;
  const result = schema.safeParse(parseJson(json));
  return result.success ? result.data : undefined;
}
