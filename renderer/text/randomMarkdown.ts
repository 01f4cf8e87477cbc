// Random Markdown for property tests: blocks that models and people write, and some that only a fuzzer would.
import fc from 'fast-check';

const words = fc.constantFrom(
  'alpha',
  'beta',
  '**bold**',
  '*em*',
  '`code`',
  '~~gone~~',
  '[link](https://a.example/x)',
  '$5',
  '$x^2$',
  '\\(y\\)',
  'https://b.example',
  '线性代数',
  'שלום',
  '<b>raw</b>',
  'a_b_c',
  '2 * 3',
  '&amp;',
  '1.',
  '- x',
  '![pic](https://a.example/p.png)',
  '[^1]',
  '[ref]',
  '![',
  '**open',
  '`tick',
  '<i',
  '🙂',
  '\\*',
);
const line = fc.array(words, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(' '));
const lines = fc.array(line, { minLength: 1, maxLength: 4 });

const paragraph = lines.map((all) => all.join('\n'));
const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`);
const setext = fc.tuple(line, fc.constantFrom('===', '---')).map(([text, rule]) => `${text}\n${rule}`);
const bullets = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('- ', '* ', '1. ', '- [x] '), fc.constantFrom('\n', '\n\n'))
  .map(([items, mark, gap]) => items.map((item) => mark + item).join(gap));
const longBullets = fc.array(line, { minLength: 30, maxLength: 60 }).map((items) => items.map((item) => `- ${item}`).join('\n'));
const nested = fc.tuple(line, line, line).map(([a, b, c]) => `- ${a}\n  - ${b}\n\n    ${c}\n- ${a}\n\n  \`\`\`js\n  ${b}\n  \`\`\``);
const fence = fc
  .tuple(fc.constantFrom('```', '~~~', '````'), fc.constantFrom('', 'ts', 'python x=1'), fc.array(line, { maxLength: 45 }), fc.boolean())
  .map(([mark, info, body, closed]) => [mark + info, ...body, ...(closed ? [mark] : [])].join('\n'));
const quote = lines.map((all) => all.map((one) => `> ${one}`).join('\n'));
const table = fc
  .array(fc.tuple(words, words), { minLength: 1, maxLength: 5 })
  .map((rows) => `| a | b |\n| --- | :-: |\n${rows.map(([a, b]) => `| ${a} | ${b} |`).join('\n')}`);
const html = fc.constantFrom(
  '<div align="center">\n<b>x</b>\n</div>',
  '<details><summary>s</summary>\n\ninner **md**\n\n</details>',
  '<p>open',
  '<!-- note -->',
  '<div>\n\nnever closed',
  '<br>',
  '</div>',
);
const math = fc.constantFrom('$$\nx^2\n$$', '\\[ y \\]', '$$ open', '$$a$$');
const longParagraph = fc.array(line, { minLength: 40, maxLength: 80 }).map((all) => all.join(' '));
const definition = fc.constantFrom('[ref]: https://c.example/ref "Title"', '[^1]: A note with *em*', '[ref]: <https://d.example>');
const rule = fc.constantFrom('---', '***', '    indented code');

const block = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 2, arbitrary: heading },
  setext,
  { weight: 3, arbitrary: bullets },
  longBullets,
  nested,
  { weight: 3, arbitrary: fence },
  quote,
  table,
  html,
  math,
  longParagraph,
  definition,
  rule,
);

/** A document, and the places at which a stream cuts it. */
export const randomMarkdown = fc.tuple(
  fc
    .array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n', '\n', '\n\n\n')), { minLength: 1, maxLength: 9 })
    .map((parts) => parts.flat().join('')),
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
);
