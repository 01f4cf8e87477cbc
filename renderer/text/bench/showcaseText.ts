// The text of the showcase.

export const showcaseUser = 'Make the parser recover after a missing brace.\nKeep the error position of `parseBlock` exact.';

const code = `\`\`\`ts
import { readBlocks } from './grammar';

/** Recovers at the first token that can start a statement. */
export function recover(tokens: Token[], from: number): number {
  const missing = here(); // before any token is skipped
  for (let at = from; at < tokens.length; at += 1) {
    if (STATEMENT_START.has(tokens[at].kind)) return at;
  }
  report({ at: missing, code: 'brace.missing', hint: \`after \${missing}\` });
  return -1;
}
\`\`\``;

const diagrams = `\`\`\`mermaid
flowchart LR
  A[Prompt] --> B{Fits?}
  B -->|yes| C[Send]
  B -->|no| D[Run a pass]
  D --> B
  C --> E[(Transcript)]
\`\`\`

\`\`\`mermaid
sequenceDiagram
  title One step
  participant W as Window
  participant M as Main
  W->>M: turn.start
  M-->>W: recorded
  Note over M: transcript first
  M-->>W: events
\`\`\`

\`\`\`mermaid
flowchart LR
  A[broken --> B
\`\`\``;

export const showcase = `# Heading one

A paragraph with **bold**, *italic*, ***both***, ~~struck~~, \`inline code\`, <kbd>Ctrl</kbd> + <kbd>K</kbd>, H<sub>2</sub>O, a [link](https://example.org/path "Title"), an autolink https://bough.example/docs and a footnote[^1]. A second sentence makes the line long enough to wrap in the reading column, so that the measure can be judged.

## Heading two

### Heading three

#### Heading four

- A tight list
- with \`code\` and **bold**
  - nested once
    - nested twice
- [x] a finished task
- [ ] an open task

1. First, prepare the parser:

   \`\`\`sh
   npm ci && npm test -- parser
   \`\`\`

2. Then check the positions.
3. Finally, look at the errors.

> A quotation that runs over more than one line, to see the rule at its side and the softer colour of its text.
>
> — someone

${code}

\`\`\`
plain text without a language
\`\`\`

\`\`\`diff
- const a = 1;
+ const a = 2;
\`\`\`

| Model | Window | Price | Note |
| :--- | ---: | :---: | --- |
| alpha | 128,000 | $5 | the small one |
| beta | 1,000,000 | $10 | **long** context, with \`code\` |
| gamma with a rather long name | 200,000 | $3.50 | and a note that is long enough to make the table scroll inside its own box |

Prices like $5 and $10 are not math, but $e^{i\\pi} + 1 = 0$ is, and so is \\(a^2 + b^2 = c^2\\).

$$
\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}
$$

\\[ \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\begin{pmatrix} x \\\\ y \\end{pmatrix} \\]

$$
\\frac{1}{\\oops
$$

${diagrams}

هذا نص عربي مع كلمة **غامقة** و \`code\` داخل السطر، ثم جملة أخرى.

- بند أول
- بند ثان

线性代数是数学的一个分支，研究向量、向量空间、线性变换以及线性方程组。日本語の文章では、句読点の前で改行しないことが大切です。

${'a'.repeat(400)}

![A remote picture](https://example.org/cat.png) stays a name; ![inline](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC) is shown.

<details><summary>More, folded</summary>

Hidden **Markdown** inside raw HTML.

</details>

---

<div align="center"><b>Raw HTML</b>, centred</div>

[^1]: A footnote with a [link](https://example.org) and *emphasis*.
`;
