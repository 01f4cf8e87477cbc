// What a server's body really is, chunk by chunk: an event stream (P3), one JSON document, an error, or a web page.

import { createParser } from 'eventsource-parser';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { parseJson } from '../lib/parseJson';
import { withoutSecrets } from './baseUrl';
import { failureFromProblem } from './errors';
import type { Redact } from './redact';

export type BodyContext = {
  redact: Redact;
  hasKey: boolean;
  url: string;
  model?: string | undefined;
  /** The server calls the body an event stream. */
  declared?: boolean | undefined;
};

const maxDocument = 64 * 1024 * 1024;

/** Turns text into the JSON texts of its events, in order. An error takes its place in that order: what came before it is given out first. */
export class BodyDecoder {
  /** How the stream ended, once it did: by `[DONE]` (or a whole JSON document), or with the body. */
  ended: 'done' | 'body' | null = null;
  #kind: 'unknown' | 'events' | 'document' = 'unknown';
  #held = '';
  #queue: string[] = [];
  #error: FailureError | null = null;
  readonly #context: BodyContext;
  readonly #parser = createParser({ onEvent: ({ event, data }) => this.#onEvent(event, data.trim()) });

  constructor(context: BodyContext) {
    this.#context = context;
  }

  /** Gives out what is complete; call `check` after using it. */
  push(text: string): string[] {
    if (this.#kind === 'events') {
      this.#parser.feed(text);
      return this.#take();
    }
    this.#held += text;
    if (this.#held.length > maxDocument) this.#error ??= notAnAnswer(this.#held, this.#context);
    if (this.#kind === 'unknown') this.#kind = sniff(this.#held, this.#context.declared === true);
    return this.#kind === 'events' ? this.push(this.#release()) : [];
  }

  /** The body is over. */
  end(): string[] {
    // Some servers end without the blank line that completes the last event.
    if (this.#kind === 'events') this.#parser.feed('\n\n');
    else this.#document(this.#release());
    this.ended ??= 'body';
    return this.#take();
  }

  /** Throws the error that followed the events given out last. */
  check(): void {
    if (this.#error) throw this.#error;
  }

  #onEvent(name: string | undefined, text: string): void {
    if (this.ended || this.#error || text === '') return;
    if (/^"?\[DONE\]"?$/i.test(text)) {
      this.ended = 'done';
      return;
    }
    const value = parseJson(text);
    if (name === 'error' || hasError(value)) this.#error = problem(text, this.#context);
    else if (typeof value === 'object' && value !== null) this.#queue.push(withoutHoles(value, text));
    // Words that are no JSON are keep-alives of proxies; a broken object is a damaged answer.
    else if (value === undefined && /^[[{]/.test(text)) this.#error = halfEvent(text, this.#context);
  }

  /** The whole answer as JSON (servers that ignore `stream`), an array of chunks, an error, or a web page. */
  #document(text: string): void {
    if (text.trim() === '') return;
    const value = parseJson(text);
    if (typeof value !== 'object' || value === null) {
      this.#error ??= notAnAnswer(text, this.#context);
      return;
    }
    for (const item of Array.isArray(value) ? value : [value]) {
      if (hasError(item)) {
        this.#error = problem(JSON.stringify(item), this.#context);
        return;
      }
      this.#queue.push(JSON.stringify(item));
    }
    this.ended = 'done';
  }

  #release(): string {
    const text = this.#held;
    this.#held = '';
    return text;
  }

  #take(): string[] {
    const events = this.#queue;
    this.#queue = [];
    return events;
  }
}

/** Choices that are no objects bring the OpenAI library down; they say nothing. */
function withoutHoles(value: object, text: string): string {
  if (!('choices' in value) || !Array.isArray(value.choices)) return text;
  const choices = value.choices.filter((choice: unknown) => typeof choice === 'object' && choice !== null);
  return choices.length === value.choices.length ? text : JSON.stringify({ ...value, choices });
}

/** What the first characters of a body say it is. They count for more than the content type, which servers often get wrong. */
function sniff(head: string, declared: boolean): 'unknown' | 'events' | 'document' {
  const text = head.replace(/^[\uFEFF\s]+/, '');
  if (declared && text !== '' && !/^[[{<]/.test(text)) return 'events';
  if (/^(data|event|id|retry)?:/.test(text)) return 'events';
  return ['data', 'event', 'id', 'retry'].some((field) => field.startsWith(text)) ? 'unknown' : 'document';
}

/** Whether a value says that something went wrong, in any of the places servers use under status 200. */
export function hasError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('type' in value && value.type === 'error') return true;
  if (!('error' in value)) return false;
  const { error } = value;
  return typeof error === 'object' && error !== null ? Object.keys(error).length > 0 : typeof error === 'string' && error !== '';
}

export function problem(text: string, context: BodyContext): FailureError {
  return new FailureError(failureFromProblem({ text, url: context.url, hasKey: context.hasKey, model: context.model }, context.redact));
}

export function notAnAnswer(text: string, context: BodyContext): FailureError {
  const isPage = /^\s*<(!doctype|html|head|body)/i.test(text);
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim();
  const message = isPage
    ? 'The server answered with a web page instead of a model’s answer. Check the base URL.'
    : 'The server answered with something that is not a model’s answer.';
  const detail = { providerText: context.redact((title || text).slice(0, 1000)), url: withoutSecrets(context.url) };
  return new FailureError(makeFailure(isPage ? 'badUrl' : 'badResponse', message, { retryable: !isPage, detail }));
}

function halfEvent(text: string, context: BodyContext): FailureError {
  const detail = { providerText: context.redact(text.slice(0, 1000)), url: withoutSecrets(context.url) };
  return new FailureError(makeFailure('connectionLost', 'The answer broke off in the middle of an event.', { retryable: true, detail }));
}
