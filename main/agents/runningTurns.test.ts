// What a window that opens later is told of turns that run already.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hang, head, type ScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatCalls } from '../../e2e/fixtures/scripts/chat';
import { helper, type TurnFixture } from './agentsFixture';
import { withTurns } from './turnsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;
withTurns(
  (made, by) => {
    [fixture, server] = [made, by];
    writeFileSync(join(fixture.workspace, 'notes.txt'), 'old\n');
  },
  { agents: [{ ...helper, tools: ['read_file', 'write_file'] }] },
);
const send = (text: string) => fixture.scheduler.start({ conversationId: null, text, attachments: [], agentId: null });
const told = () => {
  const before = fixture.events.length;
  fixture.running.tell();
  return fixture.events.slice(before);
};

describe('tell', () => {
  it('U1, A4: each running step is told with its phase, and the call that waits with what it needs and would change; nothing else', async () => {
    expect(told()).toEqual([]);
    const args = JSON.stringify({ path: 'notes.txt', content: 'new' });
    server.script(route, chatCalls([{ id: 'c1', name: 'write_file', arguments: args }]), [head(), hang()]);
    const waiting = send('Write');
    await fixture.event('callChanged', ({ call }) => call.state === 'waiting' && call.needs !== undefined);
    const silent = send('Think');
    await fixture.event('stepPhase', (event) => event.stepId === silent.stepId && event.phase === 'waiting');
    expect(told()).toMatchObject([
      { type: 'stepPhase', conversationId: waiting.conversationId, stepId: waiting.stepId, phase: 'tools' },
      {
        type: 'callChanged',
        stepId: waiting.stepId,
        call: { callId: 'c1', state: 'waiting', needs: [{ kind: 'edit' }], preview: expect.stringContaining('-old\n+new') },
      },
      { type: 'stepPhase', conversationId: silent.conversationId, stepId: silent.stepId, phase: 'waiting' },
    ]);
    await fixture.running.stop({ conversationId: waiting.conversationId });
    expect(told()).toHaveLength(1);
  });
});
