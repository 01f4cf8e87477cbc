// A page of a bare process over its debugging port: only evaluation, asked for after what is measured has happened.
// Playwright cannot attach to a running Electron of this age, and started by it the program would carry two debuggers.
import { once } from 'node:events';
import * as z from 'zod/mini';

export type BarePage = {
  /** As Playwright's: the function is sent as text. */
  evaluate<Argument extends unknown[], Result>(work: (...given: Argument) => Result | Promise<Result>, ...given: Argument): Promise<Result>;
  close(): void;
};

const targets = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }));
const answer = z.object({
  id: z.number(),
  result: z.optional(
    z.object({
      result: z.optional(z.object({ value: z.optional(z.unknown()) })),
      exceptionDetails: z.optional(z.object({ exception: z.optional(z.object({ description: z.optional(z.string()) })) })),
    }),
  ),
});

/** `browser`: the address that Chromium prints as "DevTools listening on". */
export async function attach(browser: string): Promise<BarePage> {
  const { host } = new URL(browser);
  const list = targets.parse(await (await fetch(`http://${host}/json/list`)).json());
  const page = list.find(({ type }) => type === 'page');
  if (!page) throw new Error('There is no page.');
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await once(socket, 'open');
  const waiting = new Map<number, (message: z.infer<typeof answer>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = answer.safeParse(JSON.parse(String(data)));
    if (message.success) waiting.get(message.data.id)?.(message.data);
  });
  let asked = 0;
  return {
    evaluate: async (work, ...given) => {
      const id = ++asked;
      const expression = `(${work.toString()})(${given.map((one) => JSON.stringify(one)).join(', ')})`;
      const { result } = await new Promise<z.infer<typeof answer>>((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression, awaitPromise: true, returnByValue: true } }));
      });
      waiting.delete(id);
      if (result?.exceptionDetails) throw new Error(result.exceptionDetails.exception?.description ?? 'The page threw.');
      return result?.result?.value as Awaited<ReturnType<typeof work>>;
    },
    close: () => socket.close(),
  };
}
