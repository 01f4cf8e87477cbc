// Deleting while turns run, over the real conductor, store and a scripted server (T8).
import { describe, expect, it } from 'vitest';
import { hang, head, type ScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { listConversations } from '../store/conversations';
import { listLiveSteps } from '../store/liveSteps';
import { listQueued } from '../store/queuedMessages';
import { readTalk } from '../store/talkView';
import type { TurnFixture } from './agentsFixture';
import { withTurns } from './turnsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;
withTurns((made, by) => {
  [fixture, server] = [made, by];
});

async function running() {
  server.script(route, [head(), hang()]);
  const sent = fixture.scheduler.start({ conversationId: null, text: 'Think', attachments: [], agentId: null });
  await fixture.event('stepPhase', (event) => event.stepId === sent.stepId && event.phase === 'waiting');
  return sent;
}

describe('deleting where a turn runs', () => {
  it('T8, A6: it is stopped first; what waited for it goes with it, and both come back, the turn as an interrupted answer', async () => {
    const { conversationId, messageId } = await running();
    fixture.waiting.add({ conversationId, text: 'later', attachments: [], mode: 'queue' });
    const { trashId, messages } = await fixture.deletions.remove({ conversationId, messageId });
    // The prompt, and what the stopped turn left.
    expect(messages).toBe(2);
    expect(listLiveSteps(fixture.db)).toEqual([]);
    expect(listQueued(fixture.db, conversationId)).toEqual([]);
    expect(readTalk(fixture.db, { conversationId, count: 9 })).toMatchObject({ length: 0, ending: null, running: [] });
    await fixture.deletions.restore(trashId);
    const back = readTalk(fixture.db, { conversationId, count: 9 });
    expect(back.slice.items.map(({ role, status }) => [role, status])).toEqual([
      ['user', 'complete'],
      ['assistant', 'interrupted'],
    ]);
    expect(back.tipId).toBe(back.slice.items[1]?.id);
    expect(listQueued(fixture.db, conversationId)).toMatchObject([{ text: 'later', held: true }]);
  });

  it('T8: a whole conversation, too; windows are told that it went and came', async () => {
    const { conversationId } = await running();
    const { trashId } = await fixture.deletions.remove({ conversationId, messageId: null });
    expect(listLiveSteps(fixture.db)).toEqual([]);
    expect(listConversations(fixture.db, { archived: false })).toEqual([]);
    expect(fixture.events).toContainEqual({ type: 'conversationRemoved', conversationId });
    await fixture.deletions.restore(trashId);
    expect(listConversations(fixture.db, { archived: false })).toHaveLength(1);
    expect(fixture.events.at(-1)).toEqual({ type: 'trashChanged' });
  });

  it('T8: what is not there is refused, and leaves no marks', async () => {
    const { conversationId, messageId } = await running();
    await fixture.deletions.remove({ conversationId, messageId });
    await expect(fixture.deletions.remove({ conversationId, messageId })).rejects.toMatchObject({ failure: { code: 'notFound' } });
  });
});
