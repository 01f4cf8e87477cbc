// What a tool is: a schema for what the model sends, and a plan that says what it needs a person's word for before it runs (A2, A4).
import * as z from 'zod/mini';
import type { BlobHash } from '../../../../shared/model/ids';
import type { ToolDefinition } from '../../../../shared/model/request';
import type { ToolNeed, ToolResult } from '../../../../shared/model/tool';
import type { Now } from '../../../lib/clock';
import { inputProblems, withoutNulls } from './inputProblems';

/** A path that was looked up: `path` is absolute and real; `shown` is relative to the workspace with `/`, or absolute outside it. */
export type Located = { path: string; shown: string; outside: boolean; guarded: boolean };
export type Outdated = 'remembered' | 'seen';

/** Sizes in bytes, times in milliseconds. */
export type ToolLimits = {
  /** A tool that has not answered by then has failed. */
  toolMs: number;
  /** A result's text above this goes to the blob store, and its ends are shown (X4). */
  outputBytes: number;
  /** How many characters of such a text are shown, head and tail together. */
  shownCharacters: number;
  /** Of a flood of output no more than this is kept. */
  captureBytes: number;
  /** The largest file that is read, edited or searched. */
  fileBytes: number;
  imageBytes: number;
  commandMs: number;
  searchMs: number;
  fetchMs: number;
  fetchBytes: number;
};

export const defaultLimits: ToolLimits = {
  toolMs: 660_000,
  outputBytes: 65_536,
  shownCharacters: 20_000,
  captureBytes: 8 * 1024 * 1024,
  fileBytes: 16 * 1024 * 1024,
  imageBytes: 20 * 1024 * 1024,
  commandMs: 120_000,
  searchMs: 20_000,
  fetchMs: 30_000,
  fetchBytes: 2 * 1024 * 1024,
};

/** What a call of this step asked of its conversation; it happens when the step ends (C2, C3). */
export type SessionRequest = { type: 'checkpoint' | 'rewind'; label: string };

export type ToolSession = {
  /** The checkpoints live on the turn's path, from the root on, and those set earlier in this step. */
  checkpoints(): readonly { label: string }[];
  /** What calls of this step asked for so far. */
  asked(): readonly SessionRequest[];
  note(request: SessionRequest): void;
};

/** Something earlier on the path: what somebody said, or what a call gave back. `id` reads it whole. */
export type PastPlace = { kind: 'message' | 'result'; id: string; name: string; excerpt: string; line?: number | undefined };
export type ToolPast = {
  /** The text behind the id of a call or a message of this path; null when there is none. */
  read(id: string, signal: AbortSignal): Promise<{ name: string; text: string } | null>;
  /** Newest first, a handful. */
  search(query: string, signal: AbortSignal): Promise<PastPlace[]>;
};

export type ToolContext = {
  /** The call's id, by which `recall` finds its result again. */
  callId: string;
  /** The workspace folder as the user opened it; tools resolve it themselves. */
  workspace: string;
  /** Aborted by Stop: the tool and all it started end at once (A5). */
  signal: AbortSignal;
  blobs: { write(bytes: Uint8Array, mime: string): Promise<BlobHash> };
  limits: ToolLimits;
  now: Now;
  platform: NodeJS.Platform;
  /** The environment Bough runs in; children get it without whatever looks like a key (Z3). */
  environment: Readonly<Record<string, string | undefined>>;
  /** Cuts the keys Bough knows out of a text. It must not touch anything else: texts are compared with files. */
  hideKeys(text: string): string;
  /** The ripgrep binary (see `ripgrepIn`). */
  ripgrep: string;
  /** Told of what is a bug of ours rather than a mistake of the model; logged once. */
  report(error: unknown): void;
  /** Whether this agent has the tool `recall`, so that a cut result may point to it. */
  canRecall: boolean;
  past: ToolPast;
  /** Whether the agent knows only an older state of this file: from its memory (M6), or from what it last read or wrote (A2). `asked` as it names it. */
  outdated?: ((place: Located, asked: string) => Promise<Outdated | null>) | undefined;
  session: ToolSession;
};

/**
 * What a call would do, found out without doing it; `run` works on exactly the places that `needs` names.
 * It may come upon something else that needs a person's word, and then gives a further plan instead of going on.
 */
export type ToolPlan = {
  needs: ToolNeed[];
  /** What it would change, as a unified diff, for the user to see before the word; asked only then. It may throw: then there is none. */
  preview?: (() => Promise<string | undefined>) | undefined;
  run(): Promise<ToolResult | ToolPlan>;
};

export type Tool = ToolDefinition & {
  /** Checks what the model sent and plans the call. Throws `ToolError` for input that cannot be meant. */
  plan(input: unknown, context: ToolContext): Promise<ToolPlan>;
};

/** Something the model should read and can act on: a wrong path, a text that is not there. */
export class ToolError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ToolError';
  }
}

export function defineTool<Schema extends z.ZodMiniType>(spec: {
  name: string;
  description: string;
  input: Schema;
  plan(input: z.output<Schema>, context: ToolContext): ToolPlan | Promise<ToolPlan>;
}): Tool {
  const schema = schemaOf(spec.input);
  return {
    name: spec.name,
    description: spec.description,
    inputSchema: schema,
    async plan(sent, context) {
      const input = withoutNulls(sent);
      const parsed = spec.input.safeParse(input);
      if (!parsed.success) {
        const known = Object.keys(schema.properties ?? {});
        throw new ToolError(`Invalid arguments for ${spec.name}: ${inputProblems(parsed.error.issues, input, known)}`);
      }
      return spec.plan(parsed.data, context);
    },
  };
}

/**
 * The schema as models are told of it. Lengths and patterns are left out: llama.cpp turns them into a grammar, refuses repetitions from about
 * 2,000 on, and then every request with the tool fails (ggml-org/llama.cpp issues 17473, 27087). They are checked when a call comes.
 */
function schemaOf(input: z.ZodMiniType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of ['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'] as const) delete jsonSchema[key];
    },
  });
  return schema;
}

export function textResult(summary: string, text?: string): ToolResult {
  return text === undefined || text === '' ? { summary } : { summary, content: text };
}

export function errorResult(summary: string, text?: string): ToolResult {
  return { ...textResult(summary, text), isError: true };
}
