// The connected bridge, set once before the first render; slices call main through it.
import type { Bridge } from '../bridge';

let connected: Bridge | undefined;

export function setClient(bridge: Bridge): void {
  connected = bridge;
}

/** Throws before the port is there: nothing renders until then. */
export function client(): Bridge {
  if (!connected) throw new Error('the bridge is not connected');
  return connected;
}
