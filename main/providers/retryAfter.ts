// P5: how long a server asks to wait, from any of the places it may say so.

/** Milliseconds, or undefined when nothing usable was said. `now` is Unix time in milliseconds. */
export function readRetryAfter(headers: Headers | undefined, text: string, now: number): number | undefined {
  return fromHeaders(headers, now) ?? fromText(text);
}

function fromHeaders(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  if (milliseconds && Number.isFinite(Number(milliseconds))) return clamp(Number(milliseconds));
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return clamp(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : clamp(date - now);
}

/** Gemini's `"retryDelay": "36s"`, OpenAI's "Please try again in 1m2.5s" or "in 20ms". */
function fromText(text: string): number | undefined {
  const delay = /"retryDelay\\?"\s*:\s*\\?"([\d.]+)s/.exec(text)?.[1];
  if (delay) return clamp(Number(delay) * 1000);
  const span = /try again in ((?:[\d.]+ ?(?:ms|s|m|h|seconds?|minutes?)\s*)+)/i.exec(text)?.[1];
  if (!span) return undefined;
  let total = 0;
  for (const [, amount, unit] of span.matchAll(/([\d.]+) ?(ms|h|m(?!s)|s)/gi))
    total += Number(amount) * (unitMs[(unit ?? 's').toLowerCase()] ?? 0);
  return clamp(total);
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function clamp(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds));
}
