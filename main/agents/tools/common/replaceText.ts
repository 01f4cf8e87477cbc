// Finds the one place a text is at and replaces it, or says why that cannot be done, in words that help to do it right. Pure.
import { lineEndOf } from '../../../lib/textFile';

export type Replaced = { ok: true; text: string; count: number } | { ok: false; why: string };

/** Where `wanted` has other line ends than the file, the file's are meant; what is put in gets the file's. */
export function replaceText(text: string, wanted: string, replacement: string, all: boolean): Replaced {
  const lineEnd = lineEndOf(text);
  const withEnds = (value: string) => value.replace(/\r\n|\n/g, lineEnd);
  const forms = [...new Set([wanted, withEnds(wanted), wanted.replaceAll('\r\n', '\n')])];
  const form = forms.find((each) => text.includes(each));
  if (form === undefined) return { ok: false, why: notFound(text, wanted) };
  const at = placesOf(text, form);
  if (at.length > 1 && !all) {
    const lines = at.slice(0, 10).map((index) => lineAt(text, index));
    const more = at.length > 10 ? ' …' : '';
    return {
      ok: false,
      why: `oldText occurs ${at.length} times, at lines ${lines.join(', ')}${more}. Give more of the text around it, or set replaceAll.`,
    };
  }
  const next = text.split(form).join(withEnds(replacement));
  if (next === text) return { ok: false, why: 'oldText and newText are the same.' };
  return { ok: true, text: next, count: text.split(form).length - 1 };
}

/** Overlapping ones too: of `aa` in `aaa` it is not clear which is meant. */
function placesOf(text: string, form: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) found.push(at);
  return found;
}

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

function notFound(text: string, wanted: string): string {
  const squeeze = (value: string) => value.replace(/\s+/g, ' ').trim();
  const first = squeeze(wanted.split('\n').find((line) => line.trim() !== '') ?? '');
  if (first === '') return 'oldText is not in the file.';
  const near = text.split('\n').findIndex((line) => squeeze(line) === first);
  if (/^\d+\t/m.test(wanted)) return 'oldText is not in the file. Leave out the line numbers that read_file shows.';
  if (near === -1) return 'oldText is not in the file. Read it again: it may have changed.';
  return `oldText is not in the file. Line ${near + 1} has its first line with other white space or is followed by something else. Read that part again.`;
}
