// One node on screen. Memoised: a node that did not change is not rendered again, whatever arrives after it.
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../shared/model/assertNever';
import { CodeBlock } from './CodeBlock';
import { HtmlBlock } from './HtmlBlock';
import { MathBlock } from './MathBlock';
import { MermaidBlock } from './MermaidBlock';
import type { ListItem, ListNode, TableNode, TextNode } from './nodes';
import { ScrollBox } from './ScrollBox';
import { useTextHost } from './textHost';

export const BlockView = memo(function BlockView({ node }: { node: TextNode }) {
  useTextHost().onBlockRender?.(node.key);
  switch (node.kind) {
    case 'html':
      return <HtmlBlock html={node.html} math={node.math} className={node.part ? 'md-b md-part' : 'md-b'} />;
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
export function Blocks({ nodes, from = 0 }: { nodes: readonly TextNode[]; from?: number }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity, see above
  return nodes.map((node, at) => <BlockView key={from + at} node={node} />);
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
    <li>
      <Blocks nodes={item.nodes} />
    </li>
  );
});

function ListBlock({ node }: { node: ListNode }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: an item's place is its identity
  const items = node.items.map((item, at) => <ItemView key={at} item={item} />);
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
