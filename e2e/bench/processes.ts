// Memory of a program as the system counts it: the proportional set size of its processes, from /proc (Linux only).
import { readdirSync, readFileSync } from 'node:fs';

/** Megabytes of a process and all that descend from it. Pages shared with other programs count in proportion. */
export function memoryOf(root: number): { megabytes: number; processes: number } {
  const family = familyOf(root);
  const kilobytes = family.map(pssOf);
  return { megabytes: kilobytes.reduce((sum, one) => sum + one, 0) / 1024, processes: kilobytes.filter((one) => one > 0).length };
}

function familyOf(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)] as const),
  );
  const family = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (family.has(pid) || !family.has(parent)) continue;
      family.add(pid);
      grown = true;
    }
  }
  return [...family];
}

/** 0 for a process that ended meanwhile. */
function parentOf(pid: string): number {
  // The name may hold spaces and brackets; what follows its last bracket does not.
  const [, rest] = /\) (.*)$/s.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  return Number(rest?.split(' ')[1] ?? 0);
}

function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Processes end while they are looked at.
    return '';
  }
}

/** How many other programs of this runtime run: they share its pages, which makes the proportional size of ours smaller. */
export function othersOf(binary: string, root: number): number {
  const family = new Set(familyOf(root));
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && !family.has(Number(name)) && textOf(`/proc/${name}/cmdline`).startsWith(binary),
  ).length;
}
