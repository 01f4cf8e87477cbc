// THE contract between windows and main. Inputs are validated (windows are not trusted); outputs are typed only (main is).
import { eventIterator, oc } from '@orpc/contract';
import { memoryContract } from './contract/memory';
import { out } from './contract/parts';
import { searchContract } from './contract/search';
import { settingsContract } from './contract/settings';
import { talkContract } from './contract/talk';
import { transferContract } from './contract/transfer';
import { treeContract } from './contract/tree';
import { windowContract } from './contract/window';
import type { EventBatch } from './model/events';

export type { LocalServer, ProviderTest } from './contract/settings';
export type { AppInfo } from './contract/window';

export const contract = {
  events: {
    subscribe: oc.output(eventIterator(out<EventBatch>())),
  },
  ...windowContract,
  ...settingsContract,
  ...talkContract,
  ...treeContract,
  ...searchContract,
  ...transferContract,
  ...memoryContract,
};
