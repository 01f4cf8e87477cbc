// Everything Markdown can show, one piece a kind, for "show a table" and "show everything".

export type SampleName = 'table' | 'code' | 'math' | 'mermaid' | 'list' | 'quote' | 'text';

const fence = '```';

export const samples: Record<SampleName, string> = {
  text: 'Plain text with **bold**, *italic*, ~~struck out~~, `code` and [a link](https://example.com/). A second line of the same paragraph follows,\nand here it is.',
  list: '1. First the trunk\n2. Then the branches\n   - one to the left\n   - one to the right\n3. Last the leaves\n\n- [x] planted\n- [ ] watered',
  quote: '> The best time to plant a tree was twenty years ago.\n>\n> > The second best time is now.',
  table: '| Tree | Height | Evergreen |\n| --- | ---: | :---: |\n| Oak | 30 m | no |\n| Spruce | 45 m | yes |\n| Birch | 20 m | no |',
  code: `${fence}ts\n// Walks from a message up to the root.\nfunction pathTo(message: Message, byId: Map<string, Message>): Message[] {\n  const path: Message[] = [];\n  for (let at: Message | undefined = message; at && !path.includes(at); at = byId.get(at.parentId ?? '')) path.unshift(at);\n  return path;\n}\n${fence}`,
  math: 'Inline $e^{i\\pi} + 1 = 0$, and on its own line:\n\n$$\n\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\n$$',
  mermaid: `${fence}mermaid\nflowchart TD\n  A[Your question] --> B[First answer]\n  A --> C[Second answer]\n  C --> D[You go on here]\n${fence}`,
};

const sampleTitles: Record<SampleName, string> = {
  text: 'Text',
  list: 'Lists',
  quote: 'Quotation',
  table: 'Table',
  code: 'Code',
  math: 'Formulas',
  mermaid: 'Diagram',
};

export function everything(): string {
  const names: SampleName[] = ['text', 'list', 'quote', 'table', 'code', 'math', 'mermaid'];
  return ['# Everything at once', ...names.map((name) => `## ${sampleTitles[name]}\n\n${samples[name]}`), '---', 'That was all.'].join(
    '\n\n',
  );
}

export const help = [
  'Hello. I am the **demo**: I run inside Bough, need no key and no network, and I am not a real language model. I only follow a few simple orders in English, so that you can try everything here.',
  [
    '- `write 300 words`, `count to 500 slowly`, `say` and any text',
    '- `show a table`, `show code`, `show math`, `show mermaid`, `show everything`',
    '- `what is the harbour code?` and the like: I look it up in what I was sent',
    '- `think first` in front of any of these, and `fast` or `slowly` behind it',
    '- `fail with 429`, `429 once`, `500`, `401`, `overflow`, `hang`, `cut`, `empty`, `picture`, `vision`',
  ].join('\n'),
  'To talk to a real model, add a provider in the settings.',
].join('\n\n');
