// P2: what a local server has really loaded. Its window is that, not what the model could do.
import * as z from 'zod/mini';
import type { ModelInfo } from '../../shared/model/provider';

/** Whoever is there answers within this. */
export const localLimitMs = 1000;

const count = z.catch(z.nullish(z.number()), null);
const ollama = z.object({ models: z.array(z.object({ name: z.string(), context_length: count })) });
const lmStudio = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.catch(z.nullish(z.string()), null),
      state: z.catch(z.nullish(z.string()), null),
      loaded_context_length: count,
    }),
  ),
});
const llamaCpp = z.object({
  default_generation_settings: z.object({ n_ctx: count }),
  modalities: z.catch(z.nullish(z.object({ vision: z.catch(z.nullish(z.boolean()), null) })), null),
});

export type LocalFacts = {
  /** Which program answers, when its own addresses say so. */
  program: 'Ollama' | 'LM Studio' | 'llama.cpp' | null;
  /** By model id; `*` stands for whatever the server serves (llama.cpp has one model loaded). */
  models: Map<string, Pick<ModelInfo, 'contextWindow' | 'vision'>>;
};

/** Asks all three kinds at once, a second each. `baseUrl` ends in its version (`…/v1`) or not. */
export async function askLocalServer(baseUrl: string, signal: AbortSignal, limitMs: number = localLimitMs): Promise<LocalFacts> {
  const root = baseUrl.replace(/\/v\d+$/, '');
  const [fromOllama, fromLmStudio, fromLlamaCpp] = await Promise.all([
    getJson(`${root}/api/ps`, ollama, signal, limitMs),
    getJson(`${root}/api/v0/models`, lmStudio, signal, limitMs),
    getJson(`${root}/props`, llamaCpp, signal, limitMs),
  ]);
  const models: LocalFacts['models'] = new Map();
  for (const { name, context_length: tokens } of fromOllama?.models ?? []) {
    for (const id of [name, name.replace(/:latest$/, '')]) models.set(id, window(tokens));
  }
  for (const model of fromLmStudio?.data ?? []) {
    const loaded = model.state === 'not-loaded' ? {} : window(model.loaded_context_length);
    models.set(model.id, {
      ...loaded,
      ...(model.type === 'vlm' ? { vision: true } : {}),
      ...(model.type === 'llm' ? { vision: false } : {}),
    });
  }
  if (fromLlamaCpp) {
    const vision = fromLlamaCpp.modalities?.vision;
    models.set('*', { ...window(fromLlamaCpp.default_generation_settings.n_ctx), ...(typeof vision === 'boolean' ? { vision } : {}) });
  }
  return { program: programOf(fromOllama !== null, fromLmStudio !== null, fromLlamaCpp !== null), models };
}

function programOf(isOllama: boolean, isLmStudio: boolean, isLlamaCpp: boolean): LocalFacts['program'] {
  if (isOllama) return 'Ollama';
  if (isLmStudio) return 'LM Studio';
  return isLlamaCpp ? 'llama.cpp' : null;
}

function window(tokens: number | null | undefined): Pick<ModelInfo, 'contextWindow'> {
  return tokens && tokens > 0 ? { contextWindow: tokens } : {};
}

/** Null for anything but a JSON answer of that shape in time: most servers have none of these addresses. */
export async function getJson<Shape extends z.ZodMiniType>(
  url: string,
  shape: Shape,
  signal: AbortSignal,
  limitMs: number,
): Promise<z.infer<Shape> | null> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(abort, limitMs);
  try {
    const response = await fetch(url, { signal: controller.signal, redirect: 'error' });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    const parsed = shape.safeParse(await response.json());
    return parsed.success ? parsed.data : null;
  } catch (error) {
    // Nothing there, too slow, no JSON: all mean "not this kind of server". Anything else is a bug.
    if (error instanceof TypeError || error instanceof SyntaxError || controller.signal.aborted) return null;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
