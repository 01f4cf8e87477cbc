// P1, U8: finds model servers on this machine by their default ports.
import { setMaxListeners } from 'node:events';
import * as z from 'zod/mini';
import type { LocalServer } from '../../shared/contract';
import type { ProviderId } from '../../shared/model/ids';
import type { ModelInfo } from '../../shared/model/provider';
import { mergeModels } from './catalog';
import { askLocalServer, getJson, localLimitMs } from './localServer';

/** Ollama, LM Studio, llama.cpp. */
const defaultPorts = [11_434, 1234, 8080];
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

export type DiscoveryOptions = { host?: string; ports?: readonly number[]; signal?: AbortSignal; limitMs?: number };

/** Those that answer within a second, in the order of the ports; a closed port is no failure. */
export async function discoverLocal(options: DiscoveryOptions = {}): Promise<LocalServer[]> {
  const { host = '127.0.0.1', ports = defaultPorts, signal = new AbortController().signal, limitMs = localLimitMs } = options;
  // Every address listens to the one signal; that many is no leak.
  setMaxListeners(ports.length * 4 + 10, signal);
  const found = await Promise.all(ports.map((port) => look(host, port, signal, limitMs)));
  return found.filter((server) => server !== null);
}

async function look(host: string, port: number, signal: AbortSignal, limitMs: number): Promise<LocalServer | null> {
  const baseUrl = `http://${host}:${port}/v1`;
  const [list, facts] = await Promise.all([
    getJson(`${baseUrl}/models`, modelList, signal, limitMs),
    askLocalServer(baseUrl, signal, limitMs),
  ]);
  if (!list) return null;
  const name = facts.program ?? `Local server (${port})`;
  const id = name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/-$/, '') as ProviderId;
  const models = list.data.map((model): ModelInfo => ({ id: model.id, ...(facts.models.get(model.id) ?? facts.models.get('*')) }));
  return { name, kind: 'openai-chat', baseUrl, models: mergeModels({ id, name, kind: 'openai-chat', baseUrl, models: [] }, models) };
}
