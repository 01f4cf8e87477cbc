// Every migration in order: numbers grow by ten, a released one is never edited.
import { firstSchema } from './0010-firstSchema';
import { transcriptSteps } from './0020-transcriptSteps';
import { checkpointsAndQueue } from './0030-checkpointsAndQueue';
import { labelsPinsTrash } from './0040-labelsPinsTrash';
import { searchTables } from './0050-search';
import { trashKept } from './0060-trashKept';
import { importSources } from './0070-importSources';
import { passReceipts } from './0080-passReceipts';

export type Migration = { version: number; sql: string };

export const migrations: readonly Migration[] = [
  firstSchema,
  transcriptSteps,
  checkpointsAndQueue,
  labelsPinsTrash,
  searchTables,
  trashKept,
  importSources,
  passReceipts,
];
