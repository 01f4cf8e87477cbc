// A conversation as one page that stands alone (I1): no scripts, nothing to load, branches and details to fold. What models and people wrote
// goes through the one sanitizer (Z2); everything else is escaped here.
import { nameOfModel } from '../../../shared/model/agent';
import type { ExportRequest, ExportRow, ExportRows } from '../../../shared/model/export';
import type { Message } from '../../../shared/model/message';
import { escapeHtml } from '../../text/escapeHtml';
import { whenIdle } from '../../text/lazily';
import { pageStyle } from './pageStyle';
import { type PartContext, partToHtml, type Say } from './partToHtml';

/** Nothing runs, nothing is fetched, nothing is sent. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/** Milliseconds of work between two rests (R4). */
const atOnce = 12;

export async function makePage(slice: ExportRows, request: ExportRequest, t: Say): Promise<string> {
  const names = new Map<string, string>(slice.agents.map(({ id, name }) => [id, name]));
  const context = { t, names, include: request.include, open: request.format === 'pdf' };
  let html = slice.first ? headOf(slice, t) : '';
  let until = performance.now() + atOnce;
  for (const row of slice.rows) {
    html += await rowToHtml(row, context);
    if (performance.now() < until) continue;
    await new Promise<void>((resolve) => void whenIdle(resolve));
    until = performance.now() + atOnce;
  }
  return slice.last ? `${html}</main></body></html>\n` : html;
}

function headOf({ title, exportedAt }: ExportRows, t: Say): string {
  const name = escapeHtml(title.replaceAll(/\s+/gu, ' ').trim() || t('page.untitled'));
  return `<!doctype html>
<html lang="${escapeHtml(document.documentElement.lang || 'en')}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title><style>${pageStyle}</style></head>
<body><main><h1 dir="auto">${name}</h1>
<p class="when">${escapeHtml(t('page.exported', { date: dateOf(exportedAt) }))}</p>
`;
}

type RowContext = Omit<PartContext, 'row'> & { names: ReadonlyMap<string, string> };

async function rowToHtml(row: ExportRow, context: RowContext): Promise<string> {
  const { message, from, last, onBranch } = row;
  const { t, names } = context;
  let html = from ? branchHead(from, context) : '';
  html += `<article class="${message.role}" id="${anchorOf(message.id)}"><header><strong>${escapeHtml(whoOf(message, names, t))}</strong>`;
  html += `<time datetime="${new Date(message.createdAt).toISOString()}">${dateOf(message.createdAt)}</time>`;
  if (message.model) html += `<span class="model">${escapeHtml(message.model)}</span>`;
  if (row.label) html += `<span class="label">${escapeHtml(row.label)}</span>`;
  html += '</header>\n';
  for (const part of message.parts) html += await partToHtml(part, { ...context, row });
  if (message.status === 'interrupted') html += `<p class="note">${escapeHtml(t('page.interrupted'))}</p>`;
  html += leavingToHtml(row, t);
  html += '</article>\n';
  return last && onBranch ? `${html}</details>\n` : html;
}

function branchHead(from: NonNullable<ExportRow['from']>, { t, open }: RowContext): string {
  const start = from.start === '' ? t('page.noText') : from.start;
  const words = t('page.branch', { branch: from.branch, branches: from.branches, start, count: from.messages });
  const back = `<p class="note"><a href="#${anchorOf(from.id)}">${escapeHtml(t('page.back'))}</a></p>`;
  return `<details class="branch"${open ? ' open' : ''}><summary dir="auto">${escapeHtml(words)}</summary>${back}\n`;
}

function leavingToHtml({ leaving }: ExportRow, t: Say): string {
  if (leaving.length === 0) return '';
  const links = leaving.map((id, at) => `<a href="#${anchorOf(id)}">${at + 1}</a>`).join(' ');
  return `<p class="note">${escapeHtml(t('page.leaving'))} ${links}</p>`;
}

/** Ids of ours hold nothing else. */
function anchorOf(id: string): string {
  return `m-${id.replaceAll(/[^\w-]/g, '')}`;
}

function whoOf({ role, agentId, model }: Message, names: ReadonlyMap<string, string>, t: Say): string {
  if (role === 'user') return t('page.you');
  if (role === 'digest') return t('page.digest');
  return (agentId && names.get(agentId)) ?? agentId ?? nameOfModel(model) ?? t('page.answer');
}

/** `2026-11-30 12:04` in UTC, the same on every machine. */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
