// A scripted server and the agents of a workspace, made anew for each test of turns.
import { afterEach, beforeEach } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import type { UserSettings } from '../../shared/model/settings';
import { makeTurnFixture, type TurnFixture } from './agentsFixture';

/** `begin` is given both before each test; a test that starts the program again closes what it started. */
export function withTurns(begin: (fixture: TurnFixture, server: ScriptedServer) => void, change: Partial<UserSettings> = {}): void {
  let server: ScriptedServer;
  let fixture: TurnFixture;
  beforeEach(async () => {
    server = await startScriptedServer();
    fixture = await makeTurnFixture(`${server.url}/v1`, change);
    begin(fixture, server);
  });
  afterEach(async () => {
    await fixture.close();
    await server.close();
    fixture.remove();
  });
}
