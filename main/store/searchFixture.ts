// A search that runs in this thread, for tests: the same questions and answers over a connection of its own.
import { openStore } from './open';
import { runSearchJob, type SearchJob } from './searchJobs';

export function searchHere(file: string) {
  return {
    ask: async (job: SearchJob) => {
      const store = openStore({ file, mode: 'read', now: () => 0 });
      try {
        return runSearchJob(store.db, job, () => performance.now());
      } finally {
        store.close();
      }
    },
    close: async () => undefined,
  };
}
