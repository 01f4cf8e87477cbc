// Every procedure of the contract in one table; a missing one is a type error.
import { app, events } from './app';
import { attachments } from './attachments';
import { base } from './base';
import { conversations } from './conversations';
import { drafts } from './drafts';
import { agents, settings } from './settings';
import { talk, tree } from './talk';
import { turn } from './turns';
import { workspace } from './workspace';

export const router = base.router({ agents, app, attachments, conversations, drafts, events, settings, talk, tree, turn, workspace });
