// Markdown for people and other programs: one heading a message, branches as sections that say where they left (I1).
import { nameOfModel } from '../../../shared/model/agent';
import { assertNever } from '../../../shared/model/assertNever';
import type { AgentId } from '../../../shared/model/ids';
import type { Message, Part } from '../../../shared/model/message';
import { type Bundle, type ExportContext, type Include, limitBundle } from './bundle';
import { linesOfTree } from './walkTree';

export async function* toMarkdown(whole: Bundle, include: Include, context: ExportContext): AsyncGenerator<string> {
  const bundle = limitBundle(whole, include);
  const names = new Map(bundle.agents.map(({ id, name }) => [id, name]));
  const labels = new Map(bundle.labels.map(({ messageId, label }) => [messageId, label]));
  const { conversation, messages, tipId } = bundle;
  yield `# ${oneLine(conversation.title) || 'Conversation'}\n\n_Exported from Bough on ${dateOf(context.exportedAt)}._\n`;
  for (const { messages: line, from } of linesOfTree(messages, tipId)) {
    if (from) yield `\n---\n\n_Branch ${from.branch} of ${from.branches} under “${startOf(from.message)}”:_\n`;
    for (const message of line) {
      const label = labels.get(message.id);
      yield `\n## ${whoOf(message, names)} · ${dateOf(message.createdAt)}${label ? ` · ${oneLine(label)}` : ''}\n\n${bodyOf(message, include)}`;
    }
  }
}

function whoOf({ role, agentId, model }: Message, names: ReadonlyMap<AgentId, string>): string {
  if (role === 'user') return 'You';
  if (role === 'digest') return 'Digest';
  return oneLine((agentId && names.get(agentId)) ?? agentId ?? nameOfModel(model) ?? 'Answer');
}

function bodyOf(message: Message, include: Include): string {
  const parts = message.parts.flatMap((part) => partOf(part, include));
  if (message.status === 'interrupted') parts.push('_Interrupted._');
  return parts.length === 0 ? '_Nothing is here._\n' : `${parts.join('\n\n')}\n`;
}

function partOf(part: Part, include: Include): string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [part.text.trim()];
    case 'reasoning':
      return part.text.trim() === '' ? [] : [quoted(`**Reasoning**\n\n${part.text.trim()}`)];
    case 'image':
    case 'file':
      return include.attachments ? [`_Attached: ${oneLine(part.name)} (${part.mime}, ${part.size} bytes)_`] : [];
    case 'toolCall':
      return [quoted(`**${oneLine(part.name)}** ${oneLine(part.summary ?? 'no result')}\n\n${fenced(part.arguments)}`)];
    case 'raw':
      return [fenced(part.json)];
    default:
      return assertNever(part);
  }
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function startOf({ parts }: Message): string {
  const text = oneLine(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' '));
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}

/** `2026-11-30 12:04` in UTC, the same on every machine. */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
