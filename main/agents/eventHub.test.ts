import { expect, it } from 'vitest';
import type { WindowEvent } from '../../shared/model/events';
import type { ConversationId, StepId } from '../../shared/model/ids';
import { EventHub } from './eventHub';

const delta = (offset: number, text: string): WindowEvent => ({
  type: 'stepDelta',
  stepId: 'stp_1' as StepId,
  conversationId: 'cnv_1' as ConversationId,
  index: 0,
  kind: 'text',
  offset,
  text,
});
const changed: WindowEvent = { type: 'talkChanged', conversationId: 'cnv_1' as ConversationId };

it('R4: text that follows text is one event, a thousand deltas are one batch, order is kept', async () => {
  const hub = new EventHub('e');
  const batches = hub.subscribe(undefined);
  for (let index = 0; index < 1000; index++) hub.publish(delta(index, 'x'));
  hub.publish(changed);
  hub.publish(delta(1000, 'y'));
  const { value } = await batches.next();
  expect(value).toEqual({ epoch: 'e', seq: 1, events: [delta(0, 'x'.repeat(1000)), changed, delta(1000, 'y')] });
  await batches.return();
});

it('Z1: a closed port ends its stream; others go on, each with its own sequence', async () => {
  const hub = new EventHub('e');
  const controller = new AbortController();
  const first = hub.subscribe(controller.signal);
  hub.publish(changed);
  const second = hub.subscribe(undefined);
  expect((await first.next()).value).toMatchObject({ seq: 1 });
  const end = first.next();
  controller.abort();
  expect((await end).done).toBe(true);
  hub.publish(changed);
  expect((await second.next()).value).toMatchObject({ seq: 1, events: [changed] });
  await second.return();
});

it('X9: a notice from before the window was there is not lost, and is told once', async () => {
  const hub = new EventHub('e');
  const notice: WindowEvent = { type: 'notice', notice: { code: 'answersRecovered', tone: 'info' } };
  hub.publish(notice);
  hub.publish(changed);
  const first = hub.subscribe(undefined);
  expect((await first.next()).value).toMatchObject({ events: [notice] });
  const second = hub.subscribe(undefined);
  hub.publish(changed);
  expect((await second.next()).value).toMatchObject({ events: [changed] });
  await first.return();
  await second.return();
});
