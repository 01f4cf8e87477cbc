// Every procedure of the contract in one table; a missing one is a type error.
import { approvals, checkpoints, queue } from './acts';
import { app, events } from './app';
import { attachments } from './attachments';
import { base } from './base';
import { comparing } from './compare';
import { conversations } from './conversations';
import { labels, pins, trash } from './deletions';
import { drafts } from './drafts';
import { exporting } from './exports/procedures';
import { importing } from './imports/procedures';
import { memory } from './memory';
import { outline } from './outline';
import { search } from './search';
import { agents, settings } from './settings';
import { talk, tree } from './talk';
import { turn } from './turns';
import { workspace } from './workspace';

export const router = base.router({
  agents,
  app,
  approvals,
  attachments,
  checkpoints,
  conversations,
  drafts,
  events,
  export: exporting,
  imports: importing,
  labels,
  memory,
  outline,
  pins,
  queue,
  search,
  settings,
  talk,
  trash,
  tree: { ...tree, ...comparing },
  turn,
  workspace,
});
