import { afterEach, expect, it } from 'vitest';
import { hang, json, type ScriptedServer, startScriptedServer, textAnswer } from '../../e2e/fixtures/scriptedServer';
import { modelList } from '../../e2e/fixtures/scripts/chat';
import { discoverLocal } from './discovery';

const servers: ScriptedServer[] = [];
async function start(): Promise<ScriptedServer> {
  const server = await startScriptedServer();
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

it('P1, P2: finds Ollama, LM Studio and llama.cpp with the windows they have loaded', async () => {
  const [ollama, lmStudio, llamaCpp] = await Promise.all([start(), start(), start()]);
  ollama.script('/v1/models', modelList('llama3.1:latest', 'gemma3:4b'));
  ollama.script('/api/ps', json({ models: [{ name: 'llama3.1:latest', model: 'llama3.1:latest', context_length: 4096 }] }));
  lmStudio.script('/v1/models', modelList('qwen2.5-vl-7b', 'phi-4', 'text-embedding-nomic'));
  lmStudio.script(
    '/api/v0/models',
    json({
      data: [
        { id: 'qwen2.5-vl-7b', type: 'vlm', state: 'loaded', max_context_length: 128000, loaded_context_length: 8000 },
        { id: 'phi-4', type: 'llm', state: 'not-loaded', max_context_length: 16384, loaded_context_length: 16384 },
      ],
    }),
  );
  llamaCpp.script('/v1/models', modelList('model.gguf'));
  llamaCpp.script('/props', json({ default_generation_settings: { n_ctx: 2048 }, modalities: { vision: false } }));
  const found = await discoverLocal({ ports: [ollama.port, lmStudio.port, llamaCpp.port], limitMs: 15_000 });
  expect(found.map(({ name, kind, baseUrl }) => [name, kind, baseUrl])).toEqual([
    ['Ollama', 'openai-chat', `${ollama.url}/v1`],
    ['LM Studio', 'openai-chat', `${lmStudio.url}/v1`],
    ['llama.cpp', 'openai-chat', `${llamaCpp.url}/v1`],
  ]);
  expect(found[0]?.models.map(({ ref, contextWindow }) => [ref, contextWindow])).toEqual([
    ['ollama/llama3.1:latest', 4096],
    ['ollama/gemma3:4b', undefined],
  ]);
  expect(found[1]?.models.map(({ id, contextWindow, vision }) => [id, contextWindow, vision])).toEqual([
    ['qwen2.5-vl-7b', 8000, true],
    ['phi-4', undefined, false],
  ]);
  expect(found[2]?.models).toMatchObject([{ id: 'model.gguf', contextWindow: 2048, vision: false, providerId: 'llama-cpp' }]);
});

it('P1: a closed port, a silent server and a web server are no model servers', async () => {
  const [closed, silent, web] = await Promise.all([start(), start(), start()]);
  await servers.shift()?.close();
  silent.script(() => true, [hang()]);
  web.script(() => true, textAnswer('<html></html>'));
  expect(await discoverLocal({ ports: [closed.port, silent.port, web.port], limitMs: 300 })).toEqual([]);
});

it('P1: an unknown server that lists models is offered by its port', async () => {
  const server = await start();
  server.script('/v1/models', modelList('m1'));
  expect(await discoverLocal({ ports: [server.port], limitMs: 15_000 })).toMatchObject([
    { name: `Local server (${server.port})`, models: [{ id: 'm1' }] },
  ]);
});
