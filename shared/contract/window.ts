// What a window asks of the program and of its workspace.
import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { type Draft, draftSchema } from '../model/draft';
import { interfaceStateSchema } from '../model/settings';
import type { RecentWorkspace, WorkspaceState } from '../model/workspace';
import { longText, nothing, out } from './parts';

export type AppInfo = {
  /** Which of the program's windows this is. */
  window: number;
  version: string;
  electron: string;
  platform: string;
  locale: string;
  systemDark: boolean;
  development: boolean;
};

export const windowContract = {
  app: {
    info: oc.output(out<AppInfo>()),
    /** http, https and mailto only; anything else is refused. */
    openExternal: oc.input(z.object({ url: z.string().check(z.maxLength(8192)) })).output(nothing),
    copyText: oc.input(z.object({ text: longText })).output(nothing),
  },
  workspace: {
    state: oc.output(out<WorkspaceState>()),
    recent: oc.output(out<RecentWorkspace[]>()),
    /** Asks for a folder; null when the person cancels. */
    choose: oc.input(z.object({ newWindow: z.boolean() })).output(out<WorkspaceState | null>()),
    open: oc
      .input(z.object({ folder: z.string(), readOnly: z.optional(z.boolean()), newWindow: z.optional(z.boolean()) }))
      .output(out<WorkspaceState>()),
    retry: oc.output(out<WorkspaceState>()),
    restoreBackup: oc.input(z.object({ name: z.string().check(z.regex(/^[\w.-]+$/)) })).output(out<WorkspaceState>()),
    reveal: oc.output(nothing),
    saveInterface: oc
      .input(
        z.extend(interfaceStateSchema, {
          recentCommands: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(20))),
        }),
      )
      .output(nothing),
  },
  drafts: {
    /** `key` is a conversation id, or `new`. */
    get: oc.input(z.object({ key: z.string().check(z.maxLength(200)) })).output(out<Draft>()),
    save: oc.input(z.object({ key: z.string().check(z.maxLength(200)), draft: draftSchema })).output(nothing),
  },
};
