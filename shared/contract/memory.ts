// What the agent remembers: the view of it, passes by hand, undo, and a card changed by hand (L, M).
import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { agentId, conversationId, type MessageId, recordId } from '../model/ids';
import { type MemoryMarks, type MemoryView, type PassEnd, type RungPreview, rungSchema } from '../model/memoryView';
import { nothing, out } from './parts';

/** The agent that answers next when null. */
const place = z.object({ conversationId, agentId: z.nullable(agentId) });
const record = z.object({ conversationId, agentId, recordId });
const focusWords = z.nullable(z.string().check(z.maxLength(2000)));

export const memoryContract = {
  memory: {
    /** For the path of the tip. Throws `notFound`. */
    view: oc.input(place).output(out<MemoryView>()),
    /** Where dividers stand in the talk, on the path of the tip (L20). */
    marks: oc.input(place).output(out<MemoryMarks>()),
    /** The messages that a line of a card speaks of, in the order of the path (M7). Throws `notFound`. */
    sources: oc.input(z.extend(record, { line: z.string().check(z.maxLength(20_000)) })).output(out<MessageId[]>()),
    /** What each rung would save and cost now (K2); nothing is changed. */
    preview: oc.input(place).output(out<RungPreview[]>()),
    /** A pass by hand: the rungs in order, or the named one. Answers at its end; aborting the call stops it and leaves no record. */
    compact: oc.input(z.extend(place, { rung: z.nullable(rungSchema), focus: focusWords })).output(out<PassEnd>()),
    /** The free rungs alone, by hand. */
    shake: oc.input(z.extend(place, { what: z.nullable(z.enum(['results', 'images'])) })).output(out<PassEnd>()),
    /** Stops the pass that runs, also an automatic one: the turn goes on without it. */
    stop: oc.input(place).output(nothing),
    /** Any record, at any later time (L19). `recordId` null: the newest that holds on the path. Throws `notFound`. */
    undo: oc.input(z.extend(place, { recordId: z.nullable(recordId) })).output(out<MemoryView>()),
    redo: oc.input(record).output(out<MemoryView>()),
    /** A new record over the card, undoable (M7). Throws `invalidInput` for an empty or too long one and for pages, `conflict` when the memory changed since. */
    edit: oc.input(z.extend(record, { text: z.string().check(z.maxLength(100_000)) })).output(out<MemoryView>()),
    /** Automatic passes again (L12). */
    resume: oc.input(place).output(out<MemoryView>()),
  },
};
