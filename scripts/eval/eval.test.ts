// The evaluation of memories: its scores, its table, the whole of it against the demo and against a server, and that keys stay where they are.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatError, chatPath, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { ProviderId } from '../../shared/model/ids';
import type { ModelInfo, ProviderConfig } from '../../shared/model/provider';
import { evalMemory } from './evalMemory';
import { evaluate } from './evaluate';
import { type Fact, factsOf, kinds } from './facts';
import { settingsFile } from './providers';
import { PagesReader } from './readerFixture';
import { verdictOf } from './score';
import { evaluationTable } from './table';

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-eval-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => evalMemory(args, (text) => said.push(text));
const small = ['--facts', '1', '--tokens', '6000'];
/** By rung, the cells of the table. */
const cells = () => {
  const lines = (said.at(-1) ?? '').trim().split('\n');
  const names = (lines[0] ?? '').split('|').map((text) => text.trim());
  return new Map(lines.slice(1).flatMap((line) => (line.includes('|') ? [rowOf(names, line)] : [])));
};
function rowOf(names: string[], line: string): [string, Record<string, string>] {
  const texts = line.split('|').map((text) => text.trim());
  return [texts[0] ?? '', Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']))];
}

describe('scores', () => {
  const fact = { kind: 'contradicted' as const, says: '', question: '', value: 'AB-123', was: { says: '', value: 'CD-456' } };

  it('the value that holds is kept, one that it replaced is wrong also beside it, not to know is honest', () => {
    const verdicts = ['It is ab-123.', 'It was CD-456, now AB-123.', 'CD-456', 'I don’t know.', 'Perhaps XAB-1234.'].map((text) =>
      verdictOf(fact, text),
    );
    expect(verdicts).toEqual(['kept', 'wrong', 'wrong', 'honest', 'wrong']);
    expect(verdictOf({ ...fact, kind: 'directive' }, 'I do not know.')).toBe('wrong');
  });

  it('a run plants the same facts each time, other runs others, and no name twice', () => {
    expect(factsOf(0, 3)).toEqual(factsOf(0, 3));
    expect(factsOf(1, 3).map(({ value }) => value)).not.toEqual(factsOf(0, 3).map(({ value }) => value));
    const questions = factsOf(0, 12).map(({ question }) => question);
    expect(new Set(questions).size).toBe(12 * kinds.length);
  });
});

describe('against the demo', () => {
  it('L1, L2, L3: as it is all is known; what only a result said is gone with the results; dropped pictures take no fact along', async () => {
    const file = join(folder, 'results.json');
    await run('--model', 'demo/demo-large', '--settings', join(folder, 'none.json'), '--json', file, ...small);
    const table = cells();
    expect([...table.keys()]).toEqual(['baseline', 'elide', 'images', 'snapshot', 'summary']);
    for (const kind of kinds) expect(table.get('baseline')).toMatchObject({ [kind]: '1/0/0', 'all kept': '100 % of 6', US$: '0.0000' });
    expect(table.get('elide')).toMatchObject({ early: '1/0/0', task: '1/0/0', result: '0/1/0', how: 'free' });
    expect(table.get('images')).toMatchObject({ 'all kept': '100 % of 6' });
    expect(table.get('snapshot')).toMatchObject({ early: '1/0/0', directive: '1/0/0', US$: '0.0000' });
    expect(table.get('snapshot')?.['how']).toMatch(/^[1-5] pages; the demo reads none$/);
    expect(table.get('summary')).toMatchObject({ early: '1/0/0', contradicted: '1/0/0', directive: '1/0/0', task: '1/0/0' });
    const [before = 0, after = 0] = (table.get('summary')?.['tokens'] ?? '').split(' → ').map(Number);
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThan(before / 2);
    type Result = { rung: string; memories: string[]; answers: { fact: Fact }[] };
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as { results: Result[] };
    expect(results.at(-1)?.answers).toHaveLength(6);
    expect(results.at(-1)?.memories[0]).toContain('## Task');
    // Whatever it could read of them, it stands there.
    const pages = results.find(({ rung }) => rung === 'snapshot');
    const paged = pages?.answers.filter(({ fact }) => ['identifier', 'result'].includes(fact.kind)) ?? [];
    expect(paged).toHaveLength(2);
    for (const { fact } of paged) expect(pages?.memories[0]).toContain(fact.value);
  }, 60_000);
});

describe('against a server', () => {
  const key = 'sk-evaluation-0123456789';
  const settings = (baseUrl: string) => {
    const file = join(folder, 'settings.json');
    const models = [{ id: 'm1', contextWindow: 100_000, inputPrice: 1, outputPrice: 2 }];
    const provider = { id: 'far', name: 'Far', kind: 'openai-chat', baseUrl, apiKey: `\${BOUGH_EVAL_KEY}`, models };
    writeFileSync(file, JSON.stringify({ version: 1, providers: [provider] }));
    return file;
  };

  it('P2, Z3: what it cost is counted, a refused question is no wrong answer, and the key is sent and never told', async () => {
    const server = await startScriptedServer();
    process.env['BOUGH_EVAL_KEY'] = key;
    const usage = { prompt_tokens: 1_000, completion_tokens: 500 };
    server.script(`POST ${chatPath}`, ({ body }) =>
      body.includes('What is the checksum')
        ? chatError(401, `Incorrect API key provided: ${key}`)
        : chatStream(['I do not know.'], { usage }),
    );
    const file = join(folder, 'results.json');
    try {
      await run('--model', 'far/m1', '--settings', settings(`${server.url}/v1`), '--rungs', 'images', '--json', file, ...small);
    } finally {
      delete process.env['BOUGH_EVAL_KEY'];
      await server.close();
    }
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(cells().get('baseline')).toMatchObject({ early: '0/1/0', directive: '0/0/1', result: '0/0/0 (1 failed)', US$: '0.0100' });
    expect(said.join('\n') + readFileSync(file, 'utf8')).not.toContain(key);
  }, 60_000);

  describe('with a model that sees', () => {
    const seeing = { id: 'gpt-4o', contextWindow: 128_000, vision: true, inputPrice: 2, outputPrice: 8 };
    const play = async (model: ModelInfo, makesPages: boolean) => {
      const server = await startScriptedServer();
      const reader = new PagesReader();
      const usage = { prompt_tokens: 1_000, completion_tokens: 500 };
      server.script(`POST ${chatPath}`, ({ body }) => chatStream([reader.answer(body)], { usage }));
      const far: ProviderConfig = {
        id: 'far' as ProviderId,
        name: 'Far',
        kind: 'openai-chat',
        baseUrl: `${server.url}/v1`,
        models: [model],
      };
      const options = { model: `far/${model.id}`, summarizer: null, providers: [far], worker: false, recall: false, say: () => undefined };
      const seen = makesPages ? { makePages: reader.makePages } : {};
      try {
        const results = await evaluate({ ...options, ...seen, rungs: ['snapshot'], runs: 1, facts: 2, tokens: 14_000 });
        said.push(evaluationTable(results));
      } finally {
        await server.close();
      }
      return { row: cells().get('snapshot'), asked: server.requests.length };
    };

    it('L4, S1: one that reads them well knows all from the pages that a pass by hand made, and every answer is paid for', async () => {
      const { row } = await play(seeing, true);
      expect(row).toMatchObject({ 'all kept': '100 % of 12', US$: (12 * 0.006).toFixed(4) });
      expect(row?.['how']).toMatch(/^\d+ pages$/);
      const [before = 0, after = 0] = (row?.['tokens'] ?? '').split(' → ').map(Number);
      expect(after).toBeLessThan(before);
    }, 60_000);

    it('S10: one that cannot read them is found out: it knows what stands beside them as text', async () => {
      const { row } = await play(seeing, false);
      expect(row).toMatchObject({ early: '2/0/0', identifier: '2/0/0', contradicted: '0/0/2', result: '1/1/0' });
    }, 60_000);

    it('L1, S10: one that does not see has no such row to fill, and nothing is asked for it', async () => {
      const { row, asked } = await play({ ...seeing, vision: false }, true);
      expect(row).toMatchObject({ early: '–', US$: '–', how: 'this model does not see' });
      expect(asked).toBe(12);
    }, 60_000);
  });

  it('R3: what is wrong is said before anything is sent', async () => {
    const file = settings('http://127.0.0.1:9/v1');
    await expect(run()).rejects.toThrow('--model');
    await expect(run('--model', 'near/m1', '--settings', file)).rejects.toThrow('There are: far, demo');
    await expect(run('--model', 'far/m1', '--settings', file, '--rungs', 'sumary')).rejects.toThrow('Unknown: sumary');
    await expect(run('--model', 'far/m1', '--settings', file, '--runs', '0')).rejects.toThrow('--runs is a whole number from 1 to 100');
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ version: 1, keys: { far: { storage: 'keychain', value: 'AAAA' } } }));
    await expect(run('--model', 'far/m1', '--settings', file)).rejects.toThrow('in the system keychain');
    writeFileSync(file, '{');
    await expect(run('--model', 'far/m1', '--settings', file)).rejects.toThrow('is not understood');
    expect(settingsFile({ XDG_CONFIG_HOME: '/c' }, 'linux', '/home/u')).toBe('/c/Bough/settings.json');
  });
});
