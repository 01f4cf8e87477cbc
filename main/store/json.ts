// Reading JSON columns: another program may have written them, so each has a schema and a fallback that loses nothing.
import type * as z from 'zod/mini';

/** The value behind `schema`, or undefined when the column is empty, no JSON or of another shape. */
export function readJson<T>(json: string | null, schema: z.ZodMiniType<T>): T | undefined {
  if (json === null) return undefined;
  try {
    const result = schema.safeParse(JSON.parse(json));
    return result.success ? result.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
