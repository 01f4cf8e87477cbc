// The evaluation of pages as `npm run eval:pages` runs it: what a character takes in bytes, and how much of it tesseract reads, by cell and kind of text.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Glyphs, readGlyphs } from '../../../main/context/snapshot/glyphs';
import { forWideText, gridOf, type Shape, shapeFor } from '../../../main/context/snapshot/shapes';
import { EvaluationProblem } from '../evaluationProblem';
import { enlarged, pageOf } from './pageOf';
import { agreement, readByOcr } from './readByOcr';
import { type Sample, samplesOf } from './samples';

export { EvaluationProblem };

/** Rows of a page that is read: a whole one takes tesseract minutes. */
const rowsRead = 12;

/** Cells as the families have them; wide text has its own on every page. */
function shapesOf({ isWide }: Sample): Shape[] {
  const shapes = ['claude-opus-5', 'gpt-5.5', 'claude-haiku-4-5'].map((modelId) => {
    const shape = shapeFor({ modelId, kind: 'openai-chat' });
    if (!shape) throw new Error(`no pages for ${modelId}`);
    return shape;
  });
  return isWide ? shapes.slice(1, 2).map(forWideText) : shapes;
}

export async function evalPages(args: string[], say: (text: string) => void, root: string): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { scales: { type: 'string', default: '1,2,3' }, bytes: { type: 'boolean', default: false } },
  });
  const scales = values.scales.split(',').map(Number);
  if (scales.some((scale) => !Number.isInteger(scale) || scale < 1 || scale > 4))
    throw new EvaluationProblem('--scales: whole numbers from 1 to 4, for example 1,2.');
  const glyphFile = (name: string) => readFileSync(join(root, 'assets/glyphs', name));
  const glyphs = readGlyphs({ narrow: glyphFile('narrow.bin'), wide: glyphFile('wide.bin') });
  const samples = samplesOf(root);
  const known = values.bytes ? [] : languages();
  say(
    row([
      'text',
      'cell',
      'characters of a page',
      'bytes of PNG a character',
      ...(values.bytes ? [] : scales.map((scale) => `read at ${scale} ×`)),
    ]),
  );
  for (const sample of samples)
    for (const shape of shapesOf(sample)) {
      const cells = [sample.name, `${shape.readable.advance} × ${shape.readable.pitch}`, ...weight(glyphs, sample, shape)];
      if (!values.bytes)
        cells.push(
          ...scales.map((scale) =>
            sample.language.split('+').every((one) => known.includes(one)) ? read(glyphs, sample, shape, scale) : `no ${sample.language}`,
          ),
        );
      say(row(cells));
    }
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function weight(glyphs: Glyphs, { text, isWide }: Sample, shape: Shape): string[] {
  const page = pageOf(glyphs, text, { cell: shape.readable, width: shape.width, rows: gridOf(shape, shape.readable).rows, isWide });
  return [String(page.characters), (page.bytes / page.characters).toFixed(2)];
}

function read(glyphs: Glyphs, { text, isWide, language }: Sample, shape: Shape, scale: number): string {
  const page = pageOf(glyphs, text, { cell: shape.readable, width: shape.width, rows: rowsRead, isWide });
  return `${(100 * agreement(page.text, readByOcr(enlarged(page.bitmap, scale), language))).toFixed(1)} %`;
}

/** Those that tesseract has here. */
function languages(): string[] {
  const run = spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8' });
  if (run.error)
    throw new EvaluationProblem(
      'tesseract is not installed. On Debian: sudo apt-get install tesseract-ocr tesseract-ocr-rus tesseract-ocr-chi-sim tesseract-ocr-jpn',
    );
  return run.stdout.split('\n').map((line) => line.trim());
}
