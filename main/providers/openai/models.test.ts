import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hang, json, type ScriptedServer, startScriptedServer, textAnswer } from '../../../e2e/fixtures/scriptedServer';
import { chatError, modelList } from '../../../e2e/fixtures/scripts/chat';
import { connectTo, testKey } from '../providerFixture';
import { listOpenAiModels } from './models';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());
const signal = new AbortController().signal;
const list = (path: string, apiKey: string | null = testKey) => {
  const connection = connectTo('openai-chat', `${server.url}${path}`, { apiKey });
  return { connection, models: listOpenAiModels(connection, signal) };
};

describe('the list of models', () => {
  it('P2: carries what gateways say of their models', async () => {
    server.script(
      '/gateway/v1/models',
      json({
        data: [
          {
            id: 'a/one',
            name: 'One',
            context_length: 200000,
            top_provider: { context_length: 131072, max_completion_tokens: 8192 },
            architecture: { input_modalities: ['text', 'image'] },
            supported_parameters: ['tools', 'reasoning'],
            pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000125' },
          },
          { id: 'b/two', max_model_len: 32768, pricing: { prompt: '-1', completion: '' } },
          { id: 'c/three', max_context_length: 131072, capabilities: { vision: false, function_calling: true } },
          { nonsense: true },
        ],
      }),
    );
    expect(await list('/gateway/v1').models).toEqual([
      {
        id: 'a/one',
        name: 'One',
        contextWindow: 131072,
        maxOutput: 8192,
        vision: true,
        reasoning: true,
        tools: true,
        inputPrice: 2.5,
        outputPrice: 10,
        cachedInputPrice: 1.25,
      },
      { id: 'b/two', contextWindow: 32768 },
      { id: 'c/three', contextWindow: 131072, vision: false, tools: true },
    ]);
    expect((await server.request('/gateway/v1/models')).headers.authorization).toBe(`Bearer ${testKey}`);
  });

  it('P2: a bare array is a list too, and a local server’s window is what it loaded', async () => {
    server.script('/bare/v1/models', json([{ id: 'm1' }]));
    server.script('/bare/props', json({ default_generation_settings: { n_ctx: 4096 } }));
    expect(await list('/bare/v1').models).toEqual([{ id: 'm1', contextWindow: 4096 }]);
  });

  it('P1: the version is found when the address lacks it', async () => {
    server.script('/short/v1/models', modelList('m1'));
    const { connection, models } = list('/short/');
    expect(await models).toEqual([{ id: 'm1' }]);
    expect(connection.learned).toEqual([{ type: 'baseUrl', value: `${server.url}/short/v1` }]);
    server.script('/studio/models', json({ error: 'Unexpected endpoint or method. (GET /models)' }));
    server.script('/studio/v1/models', modelList('m2'));
    expect(await list('/studio').models).toEqual([{ id: 'm2' }]);
    server.script('/page/models', textAnswer('<html><title>Open WebUI</title></html>'));
    server.script('/page/v1/models', modelList('m3'));
    expect(await list('/page').models).toEqual([{ id: 'm3' }]);
  });

  it('P5, Z3: says what is wrong', async () => {
    await expect(list('/nowhere/at/all').models).rejects.toMatchObject({ failure: { code: 'badUrl', detail: { status: 404 } } });
    server.script('/locked/v1/models', chatError(401, `Bad key ${testKey}`));
    const locked = list('/locked/v1').models;
    await expect(locked).rejects.toMatchObject({ failure: { code: 'badKey' } });
    await locked.catch((error: unknown) => expect(JSON.stringify(error)).not.toContain(testKey));
    await expect(list('/locked/v1', null).models).rejects.toMatchObject({ failure: { code: 'noKey' } });
    await expect(list('/locked').models).rejects.toMatchObject({ failure: { code: 'badKey' } });
    server.script('/odd/v1/models', json({ hello: 1 }));
    await expect(list('/odd/v1').models).rejects.toMatchObject({ failure: { code: 'badResponse' } });
    server.script('/slow/v1/models', [hang()]);
    await expect(listOpenAiModels(connectTo('openai-chat', `${server.url}/slow/v1`), AbortSignal.timeout(30))).rejects.toMatchObject({
      failure: { code: 'timeout' },
    });
  });
});
