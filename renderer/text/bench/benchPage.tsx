// Page entry of the streaming benchmark: leaves its rows on the window for whoever drives the page.
import '../../ui/tokens.css';
import '../../ui/base.css';
import '../../i18n';
import { runStreamBench, type StreamBenchRow } from './streamBench';

declare global {
  interface Window {
    streamBench?: StreamBenchRow[] | { error: string };
  }
}

runStreamBench().then(
  (rows) => {
    window.streamBench = rows;
  },
  (cause: unknown) => {
    window.streamBench = { error: String(cause) };
  },
);
