// Takes the blocks out of a text in which Open WebUI keeps reasoning and tool calls: <details type="reasoning" …>…</details>.

export type Detail = { type: string; body: string };

const opening = /<details\b([^<>]{0,2000})>/gi;
const kinds = /\btype="(reasoning|tool_calls|code_interpreter)"/i;
const closing = '</details>';

/** The text that stays, and what stood in the blocks, as plain text. One pass: a text of megabytes may hold any number of open blocks. */
export function withoutDetails(text: string): { text: string; details: Detail[] } {
  if (!text.includes('<details')) return { text, details: [] };
  const details: Detail[] = [];
  let kept = '';
  let from = 0;
  for (const match of text.matchAll(opening)) {
    const type = kinds.exec(match[1] ?? '')?.[1];
    if (type === undefined || match.index < from) continue;
    const end = text.indexOf(closing, match.index);
    // Never closed: it is text, and so is everything after it.
    if (end < 0) break;
    kept += text.slice(from, match.index);
    const body = plain(text.slice(match.index + match[0].length, end));
    if (body !== '') details.push({ type: type.toLowerCase(), body });
    from = end + closing.length;
  }
  return { text: (kept + text.slice(from)).trim(), details };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

function plain(html: string): string {
  const summaryEnd = html.indexOf('</summary>');
  const body = summaryEnd < 0 ? html : html.slice(summaryEnd + '</summary>'.length);
  return body
    .replace(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/^> ?/gm, '')
    .trim();
}
