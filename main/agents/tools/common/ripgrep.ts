// ripgrep: where its binary is, and one run of it in a folder, with what no search may see left out.
import { join } from 'node:path';
import { systemCode } from '../../../lib/systemError';
import { type ToolContext, ToolError } from './definition';
import { childEnvironment } from './environment';
import { runProcess } from './runProcess';

/** The binary of this platform below a folder that holds `node_modules`; of a packed app that is the unpacked archive. */
export function ripgrepIn(root: string, platform: NodeJS.Platform, arch: string): string {
  return join(root, 'node_modules/@vscode', `ripgrep-${platform}-${arch}`, 'bin', platform === 'win32' ? 'rg.exe' : 'rg');
}

/** After a user's globs, so that none brings these back. Hidden files are searched, so that `.github` and `.env.example` are found. */
const neverSeen = ['--iglob=!.bough', '--iglob=!**/.bough/**', '--glob=!.git', '--glob=!**/.git/**'];

export type RipgrepEnd = { text: string; lost: number; code: number | null; errors: string; timedOut: boolean };

/** `globs` are the user's; `more` the flags of this kind of run; `rest` what stands behind `--`. Throws `ToolError` when it cannot be run. */
export async function runRipgrep(
  context: ToolContext,
  folder: string,
  options: { globs: readonly string[]; ignored: boolean; more: readonly string[]; rest: readonly string[] },
): Promise<RipgrepEnd> {
  const args = [
    '--no-config',
    '--hidden',
    '--no-require-git',
    '--color=never',
    ...(options.ignored ? ['--no-ignore'] : []),
    ...options.more,
    ...options.globs.map((glob) => `--glob=${glob}`),
    ...neverSeen,
    '--',
    ...options.rest,
  ];
  if (args.some((arg) => arg.includes('\0'))) throw new ToolError('The pattern or the glob holds a NUL character.');
  try {
    const end = await runProcess(context.ripgrep, args, {
      folder,
      environment: childEnvironment(context.environment, context.hideKeys),
      platform: context.platform,
      timeoutMs: context.limits.searchMs,
      captureBytes: context.limits.captureBytes,
      signal: context.signal,
      separateErrors: true,
    });
    return {
      text: end.output.bytes.toString('utf8'),
      lost: end.output.lost,
      code: end.code,
      errors: end.errors.bytes.toString('utf8').trim(),
      timedOut: end.reason === 'timeout',
    };
  } catch (error) {
    if (!['ENOENT', 'EACCES'].includes(systemCode(error) ?? '')) throw error;
    throw new ToolError('Searching is not possible: the program ripgrep is missing.', { cause: error });
  }
}

/** Paths and messages as ripgrep prints them, relative to the folder it ran in. */
export function tidyPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}
