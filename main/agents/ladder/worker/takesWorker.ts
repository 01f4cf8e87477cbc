// Whether a card is written by a worker (M5): by default where the agent has file tools and touched files. Pure.
import type { NumbersInForce } from '../../../../shared/model/compaction';

const fileTools = ['read_file', 'write_file', 'edit_file'];

export function takesWorker({ summaryMode }: Pick<NumbersInForce, 'summaryMode'>, tools: readonly string[], hasFiles: boolean): boolean {
  if (summaryMode !== 'auto') return summaryMode === 'worker';
  return hasFiles && fileTools.some((name) => tools.includes(name));
}

/** Whether a call of that tool touches a file. */
export function isFileTool(name: string): boolean {
  return fileTools.includes(name);
}
