// Texts for the evaluation of pages: what is in the repository anyway, and a log that is made. All of it one text after the other, as a talk has it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLog } from '../../bench/data/jsonLog';

export type Sample = { name: string; text: string /** Of tesseract. */; language: string; isWide: boolean };

export function samplesOf(root: string): Sample[] {
  return [
    { name: 'English prose', text: filesIn(root, 'docs/decisions', '.md'), language: 'eng', isWide: false },
    { name: 'TypeScript', text: filesIn(root, 'main/context', '.ts'), language: 'eng', isWide: false },
    { name: 'log in JSON', text: jsonLog(100_000), language: 'eng', isWide: false },
    { name: 'Russian', text: wordsOf(root, 'ru'), language: 'rus+eng', isWide: false },
    { name: 'Chinese', text: wordsOf(root, 'zh'), language: 'chi_sim', isWide: true },
    { name: 'Japanese', text: wordsOf(root, 'ja'), language: 'jpn', isWide: true },
  ];
}

function filesIn(root: string, folder: string, ending: string): string {
  const names = readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending) && !name.includes('.test.'))
    .sort();
  return names.map((name) => readFileSync(join(root, folder, name), 'utf8')).join('\n');
}

/** The interface's own words in a language: sentences of every length. */
function wordsOf(root: string, language: string): string {
  const folder = join(root, 'assets/locales', language);
  const texts: string[] = [];
  const collect = (value: unknown) => {
    if (typeof value === 'string') texts.push(value.replaceAll(/\{\{\w+\}\}/g, '12'));
    else for (const one of Object.values(value ?? {})) collect(one);
  };
  for (const name of readdirSync(folder)) collect(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return texts.join('\n');
}
