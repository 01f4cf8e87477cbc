// A failure as stored in JSON: checked when read, since its code decides what the window offers.
import * as z from 'zod/mini';
import { type Failure, failureCodes } from './failure';

const text = z.optional(z.string());
const number = z.optional(z.number());
export const failureSchema: z.ZodMiniType<Failure> = z.object({
  code: z.enum(failureCodes),
  message: z.string(),
  retryable: z.boolean(),
  detail: z.optional(
    z.object({
      status: number,
      providerText: text,
      retryAfterMs: number,
      contextWindow: number,
      provider: text,
      model: text,
      url: text,
      path: text,
      size: number,
      limit: number,
      pid: number,
      parts: z.optional(z.array(z.object({ name: z.string(), tokens: z.number(), bytes: z.number() }))),
      unsent: z.optional(z.boolean()),
    }),
  ),
});
