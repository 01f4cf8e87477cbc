// The one place that logs. Keys and tokens are cut out before anything is written (Z3).
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Now } from './clock';
import { systemCode } from './systemError';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Logger = {
  log(level: LogLevel, event: string, facts?: Record<string, unknown>): void;
  /** A logger whose lines carry these facts as well. */
  with(facts: Record<string, unknown>): Logger;
};

/** Cuts secrets out of text: those it was told of, and whatever looks like a key. */
export type Redactor = {
  add(secret: string): void;
  redact(text: string): string;
  /** Cuts only what it was told of: for texts that are compared with files. */
  redactKnown(text: string): string;
};

const CUT = '[key]';
const KEY_NAME = /^(?:authorization|x-goog-api-key|(?:x-)?api[-_]?key|secret|password)$/i;
const KEY_SHAPES = [
  /\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|key)[-_][\w-]{12,}/g,
  /\bAIza[\w-]{20,}/g,
  /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /(?<=[?&](?:key|api[-_]?key|access_token|token)=)[^&\s"']+/gi,
  /(?<=\b(?:api[-_]?key|x-goog-api-key|authorization|secret|password)"?\s*[:=]\s*"?)(?!(?:bearer|basic)\b)[^\s"',}&]{4,}/gi,
];

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const redactKnown = (text: string) => [...secrets].reduce((result, secret) => result.replaceAll(secret, CUT), text);
  return {
    add(secret) {
      // Shorter ones are no keys, and cutting them would garble ordinary words.
      if (secret.length >= 8) secrets.add(secret);
    },
    redactKnown,
    redact(text) {
      let result = redactKnown(text);
      for (const shape of KEY_SHAPES) result = result.replace(shape, CUT);
      return result;
    },
  };
}

export type LogSink = (line: string) => void;

/** Each line is one JSON object: time, level, event, facts. Errors in facts are written with their causes. */
export function createLogger(options: { now: Now; sink: LogSink; redactor: Redactor; minimum?: LogLevel }): Logger {
  const order: LogLevel[] = ['debug', 'info', 'warn', 'error'];
  const minimum = order.indexOf(options.minimum ?? 'info');
  // Each text is cleaned before it is put into JSON: afterwards a cut could tear an escape apart, and an escape could hide a key.
  const clean = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return KEY_NAME.test(name) ? CUT : options.redactor.redact(value);
    if (typeof value === 'bigint') return String(value);
    return value instanceof Error ? errorFacts(value) : value;
  };
  const make = (base: Record<string, unknown>): Logger => ({
    log(level, event, facts) {
      if (order.indexOf(level) < minimum) return;
      options.sink(JSON.stringify({ time: new Date(options.now()).toISOString(), level, event, ...base, ...facts }, clean));
    },
    with: (facts) => make({ ...base, ...facts }),
  });
  return make({});
}

function errorFacts({ name, message, stack, cause }: Error): Record<string, unknown> {
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}

/** Appends to a file; at `limit` bytes the file becomes `<file>.1` and a new one starts. A log that cannot be written stops no one. */
export function fileSink(file: string, limit = 5 * 1024 * 1024): LogSink {
  mkdirSync(dirname(file), { recursive: true });
  return (line) => {
    try {
      if (sizeOf(file) > limit) renameSync(file, `${file}.1`);
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      console.error(`the log cannot be written: ${systemCode(error) ?? String(error)}`);
    }
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
