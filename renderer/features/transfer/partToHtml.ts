// One part of a message in an exported page: text as it is in the window, everything else folded or as an attachment.
import { assertNever } from '../../../shared/model/assertNever';
import type { ExportInclude, ExportRow } from '../../../shared/model/export';
import type { FilePart, ImagePart, Part, ToolCallPart } from '../../../shared/model/message';
import { escapeHtml } from '../../text/escapeHtml';
import { toHtml } from '../../text/toHtml';
import { formatBytes } from '../../ui/format';

/** Words of `transfer.json`. */
export type Say = (key: string, values?: Record<string, string | number>) => string;

export type PartContext = {
  t: Say;
  include: ExportInclude;
  /** Nothing is folded: on paper nobody can unfold. */
  open: boolean;
  row: ExportRow;
};

export async function partToHtml(part: Part, context: PartContext): Promise<string> {
  const { t, row } = context;
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? '' : `${await toHtml(part.text, { breaks: row.message.role === 'user' })}\n`;
    case 'reasoning':
      return part.text.trim() === '' ? '' : folded(t('page.reasoning'), await toHtml(part.text, { breaks: false }), context);
    case 'toolCall':
      return callToHtml(part, context);
    case 'image':
    case 'file':
      return context.include.attachments ? attachmentToHtml(part, context) : '';
    case 'raw':
      return folded(t('page.raw', { source: part.source }), plain(part.json), context);
    default:
      return assertNever(part);
  }
}

function folded(summary: string, inside: string, { open }: PartContext): string {
  return `<details${open ? ' open' : ''}><summary dir="auto">${escapeHtml(summary)}</summary>${inside}</details>\n`;
}

function plain(text: string): string {
  return `<pre class="plain">${escapeHtml(text)}</pre>`;
}

function callToHtml({ callId, name, arguments: given, summary }: ToolCallPart, context: PartContext): string {
  const { t, row } = context;
  const result = Object.hasOwn(row.results, callId) ? row.results[callId] : undefined;
  const words = t('page.named', { name, value: summary ?? t('page.noResult') });
  return folded(words, plain(given) + (result === undefined ? '' : plain(result)), context);
}

/** What a browser shows as a picture and nothing else. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function attachmentToHtml(part: ImagePart | FilePart, { row, t }: PartContext): string {
  const said = `${part.name} (${formatBytes(part.size, document.documentElement.lang || 'en')})`;
  const about = escapeHtml(said);
  const base64 = row.files[part.hash];
  if (!base64) return `<p class="note">${escapeHtml(t('page.named', { name: said, value: t('page.lost') }))}</p>\n`;
  if (part.type === 'image' && pictures.has(part.mime)) {
    const image = `<img src="data:${part.mime};base64,${base64}" alt="${escapeHtml(part.name)}">`;
    return `<figure>${image}<figcaption>${about}</figcaption></figure>\n`;
  }
  // Never as what it says it is: a page among attachments would be shown instead of saved.
  const address = `data:application/octet-stream;base64,${base64}`;
  return `<p class="note"><a href="${address}" download="${escapeHtml(part.name)}">${about}</a></p>\n`;
}
