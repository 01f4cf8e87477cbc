// Reading JSON columns: another program may have written them, so each has a schema and a fallback that loses nothing.

import type * as z from 'zod/mini';
import { parseJson } from '../lib/parseJson';

/** The value behind `schema`, or undefined when the column is empty, no JSON or of another shape. */
export function readJson<T>(json: string | null, schema: z.ZodMiniType<T>): T | undefined {
  if (json === null) return undefined;
  const result = schema.safeParse(parseJson(json));
  return result.success ? result.data : undefined;
}
