// The order at a step boundary (transcript, database, publish), with a failure put between any two writes, on a real store and real files.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { json, type ScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatStream } from '../../e2e/fixtures/scripts/chat';
import type { WindowEvent } from '../../shared/model/events';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { type AgentId, type ConversationId, type MessageId, messageIdOfStep, type StepId } from '../../shared/model/ids';
import { textOf } from '../../shared/model/message';
import { createNewId } from '../lib/newId';
import { getConversation } from '../store/conversations';
import { connectionOf } from '../store/database';
import { listFailedTurns } from '../store/failedTurns';
import { listLiveSteps, startStep } from '../store/liveSteps';
import { getMessage, readPath } from '../store/messages';
import { codeOf, makeStep, plant } from '../store/storeFixture';
import { transcriptStepOf } from '../store/transcriptSteps';
import { createTranscripts } from '../transcript/transcripts';
import { helper, type TurnFixture } from './agentsFixture';
import { boundaryOf, stepOf } from './boundary';
import { recoverSteps } from './recovery';
import { withTurns } from './turnsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;
withTurns((made, by) => {
  [fixture, server] = [made, by];
});

const other = { ...helper, id: 'other' as AgentId, name: 'Other [one]', systemPrompt: 'Be long.' };
const ended = (stepId: StepId | null) => fixture.event('stepEnded', (event) => event.stepId === stepId);
const send = (text: string, conversationId: ConversationId | null = null, agentId: AgentId | null = null) =>
  fixture.scheduler.start({ conversationId, text, attachments: [], agentId });
const tipOf = (id: ConversationId) => getConversation(fixture.db, id)?.tipId as MessageId;
const folder = () => join(fixture.folder, 'transcripts');
const fileOf = (conversationId: ConversationId, agentId = 'helper') => join(folder(), conversationId, `${agentId}.json`);
const entriesOf = (conversationId: ConversationId, agentId?: string): Record<string, never>[] =>
  JSON.parse(readFileSync(fileOf(conversationId, agentId), 'utf8')).entries;
const noticed = () => fixture.events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []));
const restart = async () => {
  const events: WindowEvent[] = [];
  const blobs = { writeNow: () => Promise.reject(new Error('none')) as never, read: () => Promise.reject(new Error('none')) };
  const transcripts = createTranscripts({ folder: folder(), blobs });
  const logger = { log: () => undefined, with: () => logger };
  const broken = await recoverSteps({
    db: fixture.db,
    transcripts,
    logger,
    now: () => 99_000,
    newId: createNewId(() => 99_000),
    publish: (event) => events.push(event),
  });
  return { broken: broken.broken, transcripts };
};

describe('a step boundary', () => {
  it('X2, X3: transcript first, then message, tip and live row at once, then the window is told', async () => {
    server.script(route, chatStream(['Hello there']));
    let inDatabase: unknown = 'not looked';
    const { append } = fixture.transcripts;
    fixture.transcripts.append = (place, entry) => {
      const done = append(place, entry);
      inDatabase = [listLiveSteps(fixture.db).length, entry.type === 'step' && getMessage(fixture.db, entry.step.messageId)];
      expect(entriesOf(place.conversationId)).toHaveLength(1);
      expect(fixture.events.some((event) => event.type === 'stepEnded')).toBe(false);
      return done;
    };
    const first = send('Hi');
    const { messageId } = await ended(first.stepId);
    expect(inDatabase).toEqual([1, undefined]);
    expect(listLiveSteps(fixture.db)).toEqual([]);
    const [entry] = entriesOf(first.conversationId);
    expect(entry).toMatchObject({
      type: 'step',
      step: { id: first.stepId, messageId, parentId: first.messageId, model: 'local/m1', content: [{ type: 'text', text: 'Hello there' }] },
    });
    expect(transcriptStepOf(fixture.db, { messageId: messageId as MessageId, agentId: helper.id })).toEqual({
      stepId: first.stepId,
      file: 1,
    });
  });

  it('X2, R2: a stop after the transcript and before the database opens at this boundary', async () => {
    server.script(route, chatStream(['Kept exactly']), chatStream(['next']));
    const sql = connectionOf(fixture.db);
    const first = send('Hi');
    sql.exec("CREATE TRIGGER stop BEFORE INSERT ON messages WHEN NEW.role = 'assistant' BEGIN SELECT RAISE(ABORT, 'stopped here'); END");
    expect((await ended(first.stepId)).messageId).toBeNull();
    expect(entriesOf(first.conversationId)).toHaveLength(1);
    expect(tipOf(first.conversationId)).toBe(first.messageId);
    sql.exec('DROP TRIGGER stop');
    const before = readFileSync(fileOf(first.conversationId), 'utf8');
    expect((await restart()).broken).toBe(0);
    const tip = tipOf(first.conversationId);
    expect(getMessage(fixture.db, tip)).toMatchObject({ status: 'complete', parts: [{ type: 'text', text: 'Kept exactly' }] });
    expect(transcriptStepOf(fixture.db, { messageId: tip, agentId: helper.id })?.file).toBe(1);
    expect(readFileSync(fileOf(first.conversationId), 'utf8')).toBe(before);
    expect(listLiveSteps(fixture.db)).toEqual([]);
    const second = send('Go on', first.conversationId);
    await ended(second.stepId);
    expect(server.requests[1]?.body).toContain('Kept exactly');
  });

  it('X2, X9: a stop before the transcript opens at the boundary before, with what was on screen as interrupted, in both', async () => {
    server.script(route, chatStream(['never stored']));
    fixture.transcripts.append = () => {
      throw new Error('the process is gone');
    };
    connectionOf(fixture.db).exec(
      "CREATE TRIGGER stop BEFORE INSERT ON messages WHEN NEW.role = 'assistant' BEGIN SELECT RAISE(ABORT, 'stopped here'); END",
    );
    const first = send('Hi');
    await ended(first.stepId);
    connectionOf(fixture.db).exec('DROP TRIGGER stop');
    expect((await restart()).broken).toBe(1);
    const tip = getMessage(fixture.db, tipOf(first.conversationId));
    expect(tip).toMatchObject({ status: 'interrupted', failure: { code: 'crashed' } });
    expect(entriesOf(first.conversationId)).toMatchObject([{ type: 'step', step: { id: first.stepId, interrupted: true } }]);
  });

  it('X2, R3: while the disk is full nothing is shown as complete; with room it is stored once, in the same order', async () => {
    server.script(route, chatStream(['Waits']));
    const { append } = fixture.transcripts;
    let tries = 0;
    fixture.transcripts.append = (place, entry) => {
      tries++;
      if (tries < 3) throw new FailureError(makeFailure('diskFull', 'full'));
      return append(place, entry);
    };
    const first = send('Hi');
    for (let wait = 0; wait < 2; wait++) {
      await fixture.event('notice', ({ notice }) => notice.code === 'answerWaitsForDisk');
      while (fixture.waits.length <= wait) await new Promise((resolve) => setImmediate(resolve));
      expect(listLiveSteps(fixture.db)).toHaveLength(1);
      expect(tipOf(first.conversationId)).toBe(first.messageId);
      fixture.waits[wait]?.go();
    }
    const { messageId } = await ended(first.stepId);
    expect(textOf(getMessage(fixture.db, messageId as MessageId)!)).toBe('Waits');
    expect(entriesOf(first.conversationId)).toHaveLength(1);
    expect(noticed()).toEqual(['answerWaitsForDisk']);
  });

  it('X2, R3: a database that is busy after the transcript was written does not write the step twice', () => {
    const step = makeStep('s', 'u');
    plant(fixture.db, ['u']);
    startStep(fixture.db, step);
    const logger = { log: () => undefined, with: () => logger };
    const write = boundaryOf({ ...fixture, logger, publish: () => undefined }, step, {
      type: 'step',
      step: { ...stepOf(step), content: [{ type: 'text', text: 'Once' }], results: [], createdAt: 1 },
    });
    const quick = connectionOf(fixture.db);
    quick.pragma('busy_timeout = 10');
    const blocker = new Database(fixture.file);
    blocker.exec('BEGIN IMMEDIATE');
    expect(codeOf(write)).toBe('databaseBusy');
    expect(codeOf(write)).toBe('databaseBusy');
    blocker.exec('COMMIT');
    blocker.close();
    write();
    expect(entriesOf(step.conversationId, 'demo')).toHaveLength(1);
    expect(tipOf(step.conversationId)).toBe(messageIdOfStep(step.id));
  });
});

describe('a transcript that cannot be used', () => {
  it('X7, R3: one that cannot be written keeps the answer by its message, says so, and the next request is retold from it', async () => {
    server.script(route, chatStream(['Still here']), chatStream(['next']));
    writeFileSync(folder(), 'a file where the folder should be');
    const first = send('Hi');
    const { messageId } = await ended(first.stepId);
    expect(textOf(getMessage(fixture.db, messageId as MessageId)!)).toBe('Still here');
    expect(noticed()).toEqual(['transcriptNotWritten']);
    rmSync(folder());
    const second = send('Go on', first.conversationId);
    await ended(second.stepId);
    expect(server.requests[1]?.body).toContain('Still here');
    expect(entriesOf(first.conversationId)).toHaveLength(1);
  });

  it('X3, X8: a newer one refuses the turn before a model is asked, stays as it is, and the failure can be tried again', async () => {
    server.script(route, chatStream(['one']), chatStream(['two']));
    const first = send('Hi');
    await ended(first.stepId);
    const file = fileOf(first.conversationId);
    const old = readFileSync(file, 'utf8');
    writeFileSync(file, old.replace('"version":1', '"version":2').concat(' '));
    const second = send('Go on', first.conversationId);
    expect((await ended(second.stepId)).messageId).toBeNull();
    const [failed] = listFailedTurns(fixture.db, first);
    expect(failed?.failure.code).toBe('transcriptNewer');
    expect(server.requests).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toContain('"version":2');
    writeFileSync(file, old);
    const again = fixture.scheduler.retry({ conversationId: first.conversationId, failedTurnId: failed?.id as never });
    await ended(again.stepId);
    expect(readPath(fixture.db, tipOf(first.conversationId)).map(textOf)).toEqual(['Hi', 'one', 'Go on', 'two']);
  });

  it('X7: a conversation from before transcripts goes on, and its request is the one it always was', async () => {
    server.script(route, chatStream(['one']), chatStream(['two']), chatStream(['two']));
    const first = send('Hi');
    await ended(first.stepId);
    const second = send('Go on', first.conversationId);
    await ended(second.stepId);
    rmSync(folder(), { recursive: true });
    mkdirSync(folder());
    connectionOf(fixture.db).exec('DELETE FROM transcript_steps');
    const again = fixture.scheduler.regenerate({ conversationId: first.conversationId, messageId: tipOf(first.conversationId) });
    await ended(again.stepId);
    expect(server.requests[2]?.body).toBe(server.requests[1]?.body);
  });
});

describe('a transcript', () => {
  it('X8: has failures and retries, by the message they hang under', async () => {
    server.script(route, json({ error: { message: 'model m1 not found', code: 'model_not_found' } }, 404), chatStream(['ok']));
    const first = send('Hi');
    await ended(first.stepId);
    const [failed] = listFailedTurns(fixture.db, first);
    const { transcripts } = await restart();
    const place = { conversationId: first.conversationId, agentId: helper.id };
    expect(transcripts.open(place).standing.failed.get(first.messageId)?.failure).toEqual(failed?.failure);
    await ended(fixture.scheduler.retry({ conversationId: first.conversationId, failedTurnId: failed?.id as never }).stepId);
    expect(entriesOf(first.conversationId).map(({ type }) => type)).toEqual(['failed', 'retried', 'step']);
    expect((await restart()).transcripts.open(place).standing.failed.size).toBe(0);
  });

  it('X1: two agents are two files; each is sent its own answers, and the other’s as text with a name', async () => {
    fixture.settings.agents = [helper, other];
    server.script(route, chatStream(['from helper']), chatStream(['from other']), chatStream(['again']));
    const first = send('Hi');
    await ended(first.stepId);
    await ended(send('And you?', first.conversationId, other.id).stepId);
    await ended(send('Back', first.conversationId, helper.id).stepId);
    const sent = server.requests.map(({ body }) => (JSON.parse(body) as { messages: { role: string; content: string }[] }).messages);
    expect(sent[1]?.slice(1)).toMatchObject([{ role: 'user', content: 'Hi\n\n[Helper answered:]\nfrom helper\n\nAnd you?' }]);
    expect(sent[2]?.slice(1)).toMatchObject([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'from helper' },
      { role: 'user', content: 'And you?\n\n[Other  one  answered:]\nfrom other\n\nBack' },
    ]);
    expect(entriesOf(first.conversationId).length).toBe(2);
    expect(entriesOf(first.conversationId, 'other').length).toBe(1);
  });
});
