// What a workspace that is open for reading only shows of memories: looking, with no ladder that acts (W4, M7).
import type { CompactionSettings } from '../../shared/model/compaction';
import { numbersInForce } from '../../shared/model/compaction';
import { weigh } from '../context/ladder/weigh';
import type { ReadableDb } from '../store/database';
import type { BlobStore } from '../transcript/blobs';
import type { Transcripts } from '../transcript/transcripts';
import { BuiltPaths } from './builtPaths';
import type { EventHub } from './eventHub';
import { type LooksDeps, MemoryLooks } from './ladder/memoryLooks';
import { defaultLimits } from './tools/common/definition';
import { allTools, describeTools } from './tools/registry';

type ReadingDeps = {
  db: ReadableDb;
  transcripts: Transcripts;
  blobs: Pick<BlobStore, 'read'>;
  hub: EventHub;
  models: LooksDeps['models'];
  /** The user's, then the workspace's. */
  compaction(): readonly CompactionSettings[];
  files: Omit<LooksDeps['reading'], 'limits'>;
};

export function readingMemory({ db, transcripts, blobs, hub, models, compaction, files }: ReadingDeps): MemoryLooks {
  return new MemoryLooks({
    db,
    transcripts,
    blobs,
    models,
    reading: { ...files, limits: defaultLimits },
    paths: new BuiltPaths(),
    notify: (notice) => hub.publish({ type: 'notice', notice }),
    retold: (conversationId) => hub.publish({ type: 'talkChanged', conversationId }),
    toolsOf: (agent) => describeTools(allTools, agent.tools),
    // No request was made, and none refused, since it was opened.
    gauge: {
      numbersFor: (agent, model) => numbersInForce([...compaction(), agent.compaction ?? {}], model.contextWindow),
      weightOf: ({ context }) => weigh({ context }),
      running: () => null,
    },
  });
}
