// One node on screen. Memoised: a node that did not change is not rendered again, whatever arrives after it.
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../shared/model/assertNever';
import { CodeBlock } from './CodeBlock';
import { HtmlBlock } from './HtmlBlock';
import { MathBlock } from './MathBlock';
import { MermaidBlock } from './MermaidBlock';
import type { HtmlNode, ListItem, ListNode, TableNode, TextNode } from './nodes';
import { inRuns, sameMembers } from './runs';
import { ScrollBox } from './ScrollBox';
import { useTextHost } from './textHost';

function classOf(node: HtmlNode): string {
  if (node.part) return 'md-b md-part';
  if (node.heading === undefined) return 'md-b';
  return node.heading <= 2 ? 'md-b md-chapter' : 'md-b md-section';
}

export const BlockView = memo(function BlockView({ node }: { node: TextNode }) {
  useTextHost().onBlockRender?.(node.key);
  switch (node.kind) {
    case 'html':
      return <HtmlBlock html={node.html} math={node.math} className={classOf(node)} />;
    case 'code':
      return node.language === 'mermaid' && !node.open ? <MermaidBlock node={node} /> : <CodeBlock node={node} />;
    case 'math':
      return <MathBlock tex={node.tex} />;
    case 'table':
      return <TableBlock node={node} />;
    case 'list':
      return <ListBlock node={node} />;
    case 'quote':
      return (
        <blockquote className="md-b" dir="auto">
          <Blocks nodes={node.nodes} />
        </blockquote>
      );
    default:
      return assertNever(node);
  }
});

/** Nodes in order; a node's place is its identity, since blocks are only ever added at the end. */
export function Blocks({ nodes }: { nodes: readonly TextNode[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity, see above
  return nodes.map((node, at) => <BlockView key={at} node={node} />);
}

function TableBlock({ node }: { node: TableNode }) {
  const { t } = useTranslation('text');
  return (
    <ScrollBox className="md-table" label={t('table.label')}>
      <HtmlBlock html={node.html} math={node.math} className="md-b" />
    </ScrollBox>
  );
}

const ItemView = memo(function ItemView({ item }: { item: ListItem }) {
  useTextHost().onBlockRender?.(item.key);
  return (
    <li className={item.task ? 'md-item' : undefined}>
      <Blocks nodes={item.nodes} />
    </li>
  );
});

const ItemRun = memo(function ItemRun({ items }: { items: readonly ListItem[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: an item's place is its identity
  return items.map((item, at) => <ItemView key={at} item={item} />);
}, sameRun);

function sameRun(before: { items: readonly ListItem[] }, after: { items: readonly ListItem[] }): boolean {
  return sameMembers(before.items, after.items);
}

function ListBlock({ node }: { node: ListNode }) {
  const items = inRuns(node.items).map((run, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a run's place is its identity
    <ItemRun key={at} items={run} />
  ));
  if (!node.ordered) {
    return (
      <ul className="md-b" dir="auto">
        {items}
      </ul>
    );
  }
  return (
    <ol className="md-b" dir="auto" start={node.start}>
      {items}
    </ol>
  );
}
