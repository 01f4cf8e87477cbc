// Reads one text of every common kind while the window waits for its first messages: compiling the grammar's patterns takes longer than reading.
import { compileDocument } from './document';

const everyKind = [
  '# Heading with *emphasis*',
  'A paragraph with **strong**, `code`, ~~struck~~ words, a [link](https://example.org) and https://example.org.',
  '- item\n  1. inner',
  '> quotation',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '<p>HTML</p>',
];

/** One kind a task, so that an answer of main never waits for more than one. Call what is given once there is something to draw. */
export function warmUp(): () => void {
  const waiting = [false, true].flatMap((breaks) => everyKind.map((text) => ({ text, breaks })));
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const next = waiting.shift();
    if (!next) {
      port1.close();
      return;
    }
    compileDocument(next.text, { breaks: next.breaks });
    port2.postMessage(null);
  };
  port2.postMessage(null);
  return () => {
    waiting.length = 0;
  };
}
