// What a Markdown text becomes before React sees it: mostly finished HTML, and a few kinds with chrome of their own.
import type { MathRef } from './grammar';
import type { CleanHtml } from './sanitize';

type Common = {
  /** Everything the node was made from; equal keys are equal nodes. */
  key: string;
};

/** Sanitized HTML. `part` marks a piece of a block that is still being written, which goes on in the next node without a gap; `heading` is its level. */
export type HtmlNode = Common & { kind: 'html'; html: CleanHtml; math: MathRef[]; part?: boolean; heading?: number };

/** A fence or an indented block. `chunks` are whole lines, joined by line feeds; while `open`, one long line may span several. */
export type CodeNode = Common & { kind: 'code'; language: string; chunks: readonly string[]; open: boolean };

export type MathNode = Common & { kind: 'math'; tex: string };
export type TableNode = Common & { kind: 'table'; html: CleanHtml; math: MathRef[] };
export type ListItem = Common & { task: boolean; nodes: TextNode[] };
/** A list that is long or holds nodes with chrome; `start` is the first number of an ordered one. */
export type ListNode = Common & { kind: 'list'; ordered: boolean; start: number; items: ListItem[] };
export type QuoteNode = Common & { kind: 'quote'; nodes: TextNode[] };

export type TextNode = HtmlNode | CodeNode | MathNode | TableNode | ListNode | QuoteNode;
