// Tells how far an export is, once it takes longer than a person would not notice, and then not too often (R4).
import type { ExportNews } from '../../../shared/model/export';

type What = Extract<ExportNews, { type: 'progress' }>['what'];

/** Milliseconds. */
const quiet = 300;
const between = 100;

export function progressTeller(tell: (news: ExportNews) => void): (what: What, done: number, total: number) => void {
  let next = performance.now() + quiet;
  return (what, done, total) => {
    const time = performance.now();
    if (time < next) return;
    next = time + between;
    tell({ type: 'progress', what, done: Math.min(done, total), total });
  };
}
