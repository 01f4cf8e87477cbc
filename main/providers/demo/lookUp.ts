// "What is the harbour code?": the demo looks it up in the request it was sent, and nowhere else, so that it knows what a model could know. Pure.
import type { ModelRequest, RequestMessage } from '../../../shared/model/request';

/** Of a thing with an article, or of a name with a capital letter: `what is this?` asks for something else. */
const question = /^[Ww]hat(?: is|[’']s) (?:(?:the|my|our) ([^?\n]{1,200})|["“`]?(\p{Lu}[^?\n"”`]{0,200})["”`]?)\?$/u;
/** A value ends with its line, its quotation or its sentence. */
const value = String.raw`[ \t]*(?:is|=|:)[ \t]*([^\n"”]+?)(?=[.;!]?(?:["”\n]|$)|[.;!]\s)`;
const order = /end every answer about (?:the )?([^\n]{1,200}?) with (?:the mark )?(\S+?)(?=[.,;!"”]*(?:\s|$))/giu;

/** Null without such a question. What was said last counts. */
export function lookUp({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>, words: string): string | null {
  const [, thing, named] = question.exec(words.trim()) ?? [];
  const name = thing ?? named;
  if (name === undefined) return null;
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const told = [system, ...messages.slice(0, asked).map(textOf), ...messages.slice(asked + 1).map(textOf)].join('\n');
  const marks = [...told.matchAll(order)].filter(([, about = '']) => name.toLowerCase().includes(about.toLowerCase()));
  const found = [...told.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}${value}`, 'giu'))].at(-1)?.[1];
  return [found === undefined ? 'I do not know.' : `It is ${found}.`, ...marks.slice(-1).map(([, , mark]) => mark)].join(' ');
}

function textOf({ parts }: RequestMessage): string {
  return parts.map((part) => (part.type === 'toolResult' ? part.content : part.type === 'text' ? part.text : '')).join('\n');
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
}
