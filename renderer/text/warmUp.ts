// Reads one text of every common kind while the window waits for its first messages: compiling the grammar's patterns takes longer than reading.
import { compileDocument } from './document';

const everyKind = `# Heading with *emphasis*

A paragraph with **strong**, \`code\`, ~~struck~~ words, a [link](https://example.org) and https://example.org.

- item
  1. inner

> quotation

| a | b |
| --- | --- |
| 1 | 2 |

<p>HTML</p>
`;

export function warmUp(): void {
  compileDocument(everyKind, { breaks: false });
  compileDocument(everyKind, { breaks: true });
}
