// A Markdown text on screen, finished or still being written; everything in the window that shows such text uses this.
import './text.css';
import './textParts.css';
import './code.css';
import './codeColours.css';
import { memo, useMemo, useRef, useState } from 'react';
import { Blocks } from './BlockView';
import { compileDocument } from './document';
import type { TextNode } from './nodes';
import { inRuns, sameMembers } from './runs';
import { StreamDocument } from './streamDocument';
import { copyToClipboard, type TextHost, TextHostContext } from './textHost';
import { useGrowingText } from './useGrowingText';
import { useLinks } from './useLinks';
import { noteWatched, wasWatched } from './watched';

export type MarkdownViewProps = {
  /** The whole text so far. */
  text: string;
  /** More of it will come. */
  streaming?: boolean;
  /** Line breaks in the source are line breaks on screen, and markup is text: for what people typed. */
  breaks?: boolean;
  /** Opens an http, https or mailto address; no other ever arrives here. */
  onOpenLink?: ((url: string) => void) | undefined;
  /** Puts text on the clipboard; the browser's own way when left out. */
  onCopy?: ((text: string) => Promise<boolean>) | undefined;
  /** Called each time React renders a block: for benchmarks and tests. */
  onBlockRender?: ((key: string) => void) | undefined;
  /** Whether long code starts folded; by default only in a text that nobody watched while it was written. */
  fold?: boolean | undefined;
};

const Run = memo(
  function Run({ nodes }: { nodes: readonly TextNode[] }) {
    return <Blocks nodes={nodes} />;
  },
  (before, after) => sameMembers(before.nodes, after.nodes),
);

function useNodes(text: string, streaming: boolean, breaks: boolean): { nodes: readonly TextNode[]; watched: boolean } {
  const stream = useRef<StreamDocument | null>(null);
  const shown = useGrowingText(text, !streaming && stream.current === null);
  const nodes = useMemo(() => {
    if (!streaming) return stream.current?.finish(shown) ?? compileDocument(shown, { breaks });
    // Reading is idempotent for a text and its continuations, so React may call this as often as it likes.
    stream.current ??= new StreamDocument({ breaks });
    stream.current.update(shown);
    noteWatched(stream.current, shown);
    return [...stream.current.settled, ...stream.current.tail];
  }, [shown, streaming, breaks]);
  const [watchedBefore] = useState(() => !streaming && wasWatched(text));
  return { nodes, watched: watchedBefore || stream.current !== null };
}

export const MarkdownView = memo(function MarkdownView(props: MarkdownViewProps) {
  const { text, streaming = false, breaks = false, onOpenLink, onCopy, onBlockRender, fold } = props;
  const root = useRef<HTMLDivElement>(null);
  const { nodes, watched } = useNodes(text, streaming, breaks);
  useLinks(root, onOpenLink);
  const folds = fold ?? !watched;
  const host = useMemo<TextHost>(() => ({ copy: onCopy ?? copyToClipboard, onBlockRender, fold: folds }), [onCopy, onBlockRender, folds]);
  return (
    <TextHostContext value={host}>
      <div className="md" ref={root}>
        {inRuns(nodes).map((run, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end, a run's place is its identity
          <Run key={at} nodes={run} />
        ))}
      </div>
    </TextHostContext>
  );
});
