// GFM footnotes: a mark in the text leads to its note, which stays where it was written.
import type { TokenizerAndRendererExtension, Tokens } from 'marked';
import { escapeHtml } from './escapeHtml';

/** Key under which a footnote is kept beside the link reference definitions. */
function footnoteKey(label: string): string {
  return `^${label.toLowerCase()}`;
}

/** The label as it may stand in an attribute and in an address. */
function slug(label: string): string {
  return label.toLowerCase().replace(/[^\p{L}\p{N}_-]/gu, '-');
}

export const footnoteMark: TokenizerAndRendererExtension = {
  name: 'footnoteMark',
  level: 'inline',
  start(source) {
    const at = source.indexOf('[^');
    return at < 0 ? undefined : at;
  },
  tokenizer(source) {
    const hit = /^\[\^([^\]\s[]{1,64})\]/.exec(source);
    const label = hit?.[1];
    if (!hit || !label || !(footnoteKey(label) in this.lexer.tokens.links)) return undefined;
    return { type: 'footnoteMark', raw: hit[0], label };
  },
  renderer(token) {
    const label = String(token.label);
    return `<sup class="md-fn"><a href="#fn-${slug(label)}">${escapeHtml(label)}</a></sup>`;
  },
};

export const footnoteNote: TokenizerAndRendererExtension = {
  name: 'footnoteNote',
  level: 'block',
  tokenizer(source) {
    const hit = /^ {0,3}\[\^([^\]\s[]{1,64})\]:[ \t]*([^\n]*(?:\n(?![ \t]*\n| {0,3}\[\^)[^\n]+)*)(?:\n+|$)/.exec(source);
    const label = hit?.[1];
    if (!hit || !label) return undefined;
    this.lexer.tokens.links[footnoteKey(label)] ??= { href: '', title: null };
    const token: Tokens.Generic = { type: 'footnoteNote', raw: hit[0], label, tokens: [] };
    this.lexer.inline(hit[2] ?? '', token.tokens);
    return token;
  },
  renderer(token) {
    const label = String(token.label);
    const text = this.parser.parseInline(token.tokens ?? []);
    return `<div class="md-fndef" data-fn="${slug(label)}"><span class="md-fnlabel">${escapeHtml(label)}</span> ${text}</div>`;
  },
};
