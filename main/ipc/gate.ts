// The one gate between windows and main: a port per document load, its sender checked, the older port closed (Z1).
import { RPCHandler } from '@orpc/server/message-port';
import { type IpcMainEvent, ipcMain, type MessagePortMain, type WebContents } from 'electron';
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
  const connect = async (event: IpcMainEvent, port: MessagePortMain) => {
    const { sender, senderFrame } = event;
    const trusted = senderFrame !== null && senderFrame === sender.mainFrame && originOf(senderFrame.url) === origin;
    const context = trusted ? await contextOf(sender) : null;
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
}

function originOf(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}`;
}
