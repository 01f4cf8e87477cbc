// The one gate between windows and main: a port per document load, its sender checked, the older port closed (Z1).
import { RPCHandler } from '@orpc/server/message-port';
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type MessagePortMain, type WebContents } from 'electron';
import type { Logger } from '../lib/logger';
import type { WindowContext } from './context';
import type { router } from './router';

export type GateOptions = {
  router: typeof router;
  /** The only origin whose main frame may connect. */
  origin: string;
  /** The window's context; null for contents that are no window of ours. */
  contextOf(contents: WebContents): Promise<WindowContext | null>;
  logger: Logger;
};

export function openGate({ router, origin, contextOf, logger }: GateOptions): void {
  const handler = new RPCHandler<WindowContext>(router, {
    interceptors: [
      async (options) => {
        try {
          return await options.next();
        } catch (error) {
          logger.log('error', 'a call failed', { cause: error });
          throw error;
        }
      },
    ],
  });
  const ports = new WeakMap<WebContents, MessagePortMain>();
  const trustedContext = async ({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent) => {
    const trusted = senderFrame !== null && senderFrame === sender.mainFrame && originOf(senderFrame.url) === origin;
    return trusted ? contextOf(sender) : null;
  };
  const connect = async (event: IpcMainEvent, port: MessagePortMain) => {
    const { sender, senderFrame } = event;
    const context = await trustedContext(event);
    if (!context) {
      logger.log('warn', 'a connection was refused', { url: senderFrame?.url });
      port.close();
      return;
    }
    ports.get(sender)?.close();
    ports.set(sender, port);
    handler.upgrade(port, { context });
    port.start();
  };
  ipcMain.on('bough:connect', (event) => {
    const port = event.ports[0];
    if (port) void connect(event, port);
  });
  // From the preload alone: the path of a file that was really dropped or picked.
  ipcMain.handle('bough:given', async (event, path: unknown) => {
    const context = await trustedContext(event);
    if (typeof path === 'string' && path !== '') context?.given.add(path);
  });
}

function originOf(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}`;
}
