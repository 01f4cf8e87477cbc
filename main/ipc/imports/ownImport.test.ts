import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { shownPart } from '../../../shared/model/transcript';
import { type Act, acts, agents, type ForkTest, makeForkTest, pathTo, perform, step } from '../../agents/forkFixture';
import { select } from '../../store/database';
import { getMessage } from '../../store/messages';
import { rebuildDerived } from '../../store/repair';
import { cnv } from '../../store/storeFixture';
import { step as anyStep } from '../../transcript/transcriptArbitrary';
import { asked, conversationsIn, type EmptyPlace, emptyPlace, exported, imported, messagesIn, type Place, told } from './ownFixture';

let source: ForkTest;
let target: EmptyPlace;
beforeEach(() => {
  source = makeForkTest();
  target = emptyPlace();
});
afterEach(() => {
  source.remove();
  target.remove();
});
const only = (at: Place) => conversationsIn(at).find(({ id }) => id !== cnv('1'))?.id as ConversationId;

/** Steps with whatever a model may say, opaque data of providers among it. */
const said = fc.array(fc.record({ step: anyStep, under: fc.nat(60), other: fc.boolean() }), { maxLength: 6 });

describe('always', () => {
  const how = fc.record({ format: fc.constantFrom('json' as const, 'jsonl' as const), sealAbove: fc.constantFrom(600, 1500, 100_000) });

  it('I2: always: order, roles, parts, labels, pins, tips, records, checkpoints, agents, transcripts and what a model is sent come back the same', async () => {
    await fc.assert(
      fc.asyncProperty(acts, said, how, async (all: Act[], steps, { format, sealAbove }) => {
        source.remove();
        target.remove();
        source = makeForkTest(sealAbove);
        target = emptyPlace(sealAbove);
        const made = perform(source, all);
        steps.forEach(({ step: { content, results, usage, interrupted, finish }, under, other }, at) => {
          const parent = made[under % made.length] as MessageId;
          const agentId = agents[other ? 1 : 0].id;
          const status = interrupted ? 'interrupted' : 'complete';
          step(source, made, `s${at}`, parent, { content, results, agentId, status, usage, finish, parts: content.flatMap(shownPart) });
        });
        const before = await told(source, cnv('1'));
        const file = await exported(source, cnv('1'), { format });
        const report = await imported(target, file);
        expect(report).toMatchObject({ ended: 'done', total: { conversations: 1, messages: made.length, recovered: 0, notUnderstood: 0 } });
        expect(report.files[0]).toMatchObject({ format: 'bough', leftOut: [], skipped: [] });
        const copied = await imported(source, file, { mode: 'copy' });
        expect(copied.total.messages).toBe(made.length);
        for (const place of [target, source]) {
          const id = only(place);
          expect(await told(place, id)).toEqual(before);
          rebuildDerived(place.db, id);
          expect(await told(place, id)).toEqual(before);
          const ids = messagesIn(place, id);
          const tip = requireTip(source);
          for (const by of agents.keys())
            for (const one of pathTo(source.db, tip)) {
              const here = ids[made.indexOf(one)] as MessageId;
              expect(await asked(place, here, by)).toEqual(await asked(source, one, by));
            }
        }
        // The source is as it was.
        expect(await told(source, cnv('1'))).toEqual(before);
      }),
      { numRuns: 40 },
    );
  }, 180_000);

  it('I2, R3: always: a file cut anywhere gives what was whole before the cut, says so, and its tree holds', async () => {
    await fc.assert(
      fc.asyncProperty(acts, how, fc.double({ min: 0, max: 1, noNaN: true }), async (all: Act[], { format }, part) => {
        source.remove();
        target.remove();
        source = makeForkTest();
        target = emptyPlace();
        const made = perform(source, all);
        const file = Buffer.from(await exported(source, cnv('1'), { format }));
        const cut = file.subarray(0, Math.floor(file.length * part));
        const report = await imported(target, cut);
        expect(report.ended).toBe('done');
        if (cut.length < file.length - 5) expect(report.files[0]?.problem).toBeDefined();
        expect(report.total.messages).toBeLessThanOrEqual(made.length);
        expect(report.total.recovered).toBe(0);
        const id = only(target);
        if (!id) return;
        const ids = messagesIn(target, id);
        const words = (at: Place, all: readonly MessageId[]) => all.map((one) => getMessage(at.db, one)?.parts);
        expect(words(target, ids)).toEqual(words(source, made.slice(0, ids.length)));
        await told(target, id);
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});

const requireTip = (at: Place) =>
  select<{ tip_id: MessageId }>(at.db, 'SELECT tip_id FROM conversations WHERE id = ?').get(cnv('1'))?.tip_id as MessageId;
