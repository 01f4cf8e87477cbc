// run_command: one command line in the system's shell, in the workspace, without keys and without input; all it started ends with it (A5, Z3).
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { locate, type Place } from './common/confine';
import { defineTool, type ToolContext, ToolError, textResult } from './common/definition';
import { childEnvironment } from './common/environment';
import { explained } from './common/openFile';
import { cleanText, oneLine } from './common/output';
import { type ProcessEnd, runProcess } from './common/runProcess';

const maxSeconds = 600;
const input = z.object({
  command: z.string().check(z.minLength(1), z.maxLength(32_000), z.describe('The command line')),
  folder: z.optional(z.string().check(z.describe('Folder to run it in, relative to the workspace folder'))),
  timeoutSeconds: z.optional(
    z.int().check(z.minimum(1), z.maximum(maxSeconds), z.describe('It is ended after this time, 120 when left out')),
  ),
});
type Input = z.output<typeof input>;

export const runCommandTool = defineTool({
  name: 'run_command',
  description:
    'Runs a command line in the shell, in the workspace folder. It gets no input, so it must not ask questions. Processes left in the background are ended with it.',
  input,
  async plan(asked, context) {
    if (asked.command.includes('\0')) throw new ToolError('The command holds a NUL character.');
    const place = await locate(context.workspace, asked.folder ?? '.', context.platform);
    const outside = place.outside ? [{ kind: 'read' as const, path: place.path, outside: true }] : [];
    return { needs: [{ kind: 'command', line: asked.command, folder: place.path }, ...outside], run: () => runLine(place, asked, context) };
  },
});

async function runLine(place: Place, asked: Input, context: ToolContext): Promise<ToolResult> {
  await mustBeFolder(place);
  const started = performance.now();
  const { file, args, verbatim } = shellFor(asked.command, context.platform, context.environment);
  const timeoutMs = asked.timeoutSeconds === undefined ? context.limits.commandMs : asked.timeoutSeconds * 1000;
  const end = await runProcess(file, args, {
    folder: place.path,
    environment: { ...childEnvironment(context.environment, context.hideKeys), PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' },
    platform: context.platform,
    timeoutMs,
    captureBytes: context.limits.captureBytes,
    signal: context.signal,
    verbatim,
  });
  const text = readable(end.output.bytes);
  const summary = summaryOf(asked.command, end, performance.now() - started, timeoutMs, text);
  const result = textResult(summary, text ? withEnd(text, end, timeoutMs) : undefined);
  if (end.reason === 'ended' && end.code === 0) return result;
  return { ...result, isError: true, ...(end.reason === 'stopped' ? { outcome: 'cancelled' } : {}) };
}

async function mustBeFolder(place: Place): Promise<void> {
  try {
    if ((await stat(place.path)).isDirectory()) return;
  } catch (error) {
    throw explained(error, place.shown);
  }
  throw new ToolError(`${place.shown} is no folder.`);
}

/** Bash where there is one, since models write for it. */
export function shellFor(
  command: string,
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): { file: string; args: string[]; verbatim: boolean } {
  // The quotes around the whole line are what /s takes away again.
  if (platform === 'win32') return { file: environment['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
  const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path));
  const shell = bash ?? '/bin/sh';
  const inner = [...(bash ? ['--noprofile', '--norc'] : []), '-c', command];
  // Both streams into one pipe, by a shell that becomes the shell: from two pipes, what arrives first is chance.
  return { file: shell, args: ['-c', 'exec "$0" "$@" 2>&1', shell, ...inner], verbatim: false };
}

/** Null for output that is no text. A progress bar that writes over its own line is shown as it ended. */
function readable(bytes: Buffer): string | null {
  const sample = bytes.subarray(0, 65_536);
  let zeros = 0;
  for (const byte of sample) if (byte === 0) zeros++;
  if (zeros * 100 > sample.length) return null;
  const text = bytes.toString('utf8').replace(/\r+\n/g, '\n');
  return cleanText(text.replace(/^.*\r(?=[^\n])/gm, '')).trimEnd();
}

function summaryOf(command: string, end: ProcessEnd, ms: number, timeoutMs: number, text: string | null): string {
  const facts = [
    howItEnded(end, timeoutMs),
    `${(ms / 1000).toFixed(1)} s`,
    ...(end.output.total === 0 ? ['no output'] : []),
    ...(text === null ? [`${end.output.total} bytes of binary output left out`] : []),
    ...lossesOf(end),
  ];
  return `Ran ${oneLine(command, 100)} (${facts.join(', ')})`;
}

function howItEnded({ reason, code, signal }: ProcessEnd, timeoutMs: number): string {
  if (reason === 'timeout') return `ended after its ${timeoutMs / 1000} s`;
  if (reason === 'stopped') return 'stopped';
  return code === null ? `ended by ${signal}` : `exit code ${code}`;
}

function lossesOf({ output, leftOthers }: ProcessEnd): string[] {
  return [
    ...(output.lost > 0 ? [`${output.lost} bytes from the middle of the output are lost`] : []),
    ...(leftOthers ? ['processes it left running were ended'] : []),
  ];
}

/** The model reads the output in place of the summary: an end that is not the usual one is said there, too. */
function withEnd(text: string, end: ProcessEnd, timeoutMs: number): string {
  const usual = end.reason === 'ended' && end.code === 0;
  const facts = [...(usual ? [] : [howItEnded(end, timeoutMs)]), ...lossesOf(end)];
  return facts.length === 0 ? text : `${text}\n[${facts.join(', ')}]`;
}
