// The questions a search thread answers, and their answers: one place for both sides of the thread.
import * as z from 'zod/mini';
import { messageId } from '../../shared/model/ids';
import { type PathMatches, type SearchPage, searchRequest } from '../../shared/model/search';
import type { ReadableDb } from './database';
import { searchMessages } from './searchMessages';
import { findOnPath } from './searchPlace';

export const searchJob = z.discriminatedUnion('type', [
  z.object({ type: z.literal('messages'), request: searchRequest }),
  z.object({ type: z.literal('path'), tipId: messageId, query: z.string(), from: z.number() }),
]);
export type SearchJob = z.infer<typeof searchJob>;
export type SearchResult = { value: SearchPage | PathMatches; damaged: boolean };

/** Milliseconds of one answer: after it a newer question has its turn. */
const budget = 60;

export function runSearchJob(db: ReadableDb, job: SearchJob, clock: () => number): SearchResult {
  if (job.type === 'path') return { value: findOnPath(db, job, { clock, budget }), damaged: false };
  let damaged = false;
  const onDamage = () => {
    damaged = true;
  };
  return { value: searchMessages(db, job.request, { clock, budget, onDamage }), damaged };
}
