// Code with its language, a copy button and a wrap switch. Plain at first; colours come later and change no size.
import { WrapText } from 'lucide-react';
import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton';
import { countLines } from './codeChunks';
import { languageLabel } from './languages';
import type { CodeNode } from './nodes';
import { SafeHtml } from './SafeHtml';
import { ScrollBox } from './ScrollBox';
import type { CleanHtml } from './sanitize';
import { useTextHost } from './textHost';
import { useColours } from './useColours';

/** Code longer than this starts folded to its first chunk. */
const foldLines = 60;

const Chunk = memo(function Chunk({ text, html }: { text: string; html: CleanHtml | undefined }) {
  if (html !== undefined) return <SafeHtml className="md-lines" html={html} />;
  return <div className="md-lines">{text}</div>;
});

type FrameProps = { label: string; tools: ReactNode; children: ReactNode };

/** The box around code and drawings: a quiet head with tools that show on hover and focus. */
export function CodeFrame({ label, tools, children }: FrameProps) {
  return (
    <div className={label ? 'md-code' : 'md-code md-bare'} dir="ltr">
      <div className="md-code-head">
        <span className="md-code-language">{label}</span>
        <span className="md-code-tools">{tools}</span>
      </div>
      {children}
    </div>
  );
}

function WrapButton({ on, onToggle }: { on: boolean; onToggle: () => void }) {
  const { t } = useTranslation('text');
  return (
    <button type="button" className="md-tool" aria-pressed={on} aria-label={t('code.wrap')} title={t('code.wrap')} onClick={onToggle}>
      <WrapText size={15} strokeWidth={1.75} aria-hidden />
    </button>
  );
}

/** The lines themselves, in a box that scrolls sideways. */
export function CodeLines({ node, wrap, shown }: { node: CodeNode; wrap: boolean; shown?: number }) {
  const { t } = useTranslation('text');
  const box = useRef<HTMLDivElement>(null);
  const colours = useColours(node, box);
  const chunks = shown === undefined ? node.chunks : node.chunks.slice(0, shown);
  const label = languageLabel(node.language);
  return (
    <ScrollBox
      ref={box}
      className={wrap ? 'md-pre md-wrap' : 'md-pre'}
      label={label ? t('code.labelled', { language: label }) : t('code.label')}
    >
      <pre>
        <code>
          {chunks.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chunk's place is its identity
            <Chunk key={at} text={text} html={colours?.[at]} />
          ))}
        </code>
      </pre>
    </ScrollBox>
  );
}

export const CodeBlock = memo(function CodeBlock({ node }: { node: CodeNode }) {
  const { t } = useTranslation('text');
  const { fold } = useTextHost();
  const [wrap, setWrap] = useState(false);
  const [unfolded, setUnfolded] = useState(!fold);
  const lines = useMemo(() => (unfolded || node.open ? 0 : countLines(node.chunks)), [node, unfolded]);
  const folded = lines > foldLines;
  return (
    <CodeFrame
      label={languageLabel(node.language)}
      tools={
        <>
          <WrapButton on={wrap} onToggle={() => setWrap(!wrap)} />
          <CopyButton label={t('code.copy')} text={() => node.chunks.join('\n')} disabled={node.open} />
        </>
      }
    >
      <CodeLines node={node} wrap={wrap} {...(folded ? { shown: 1 } : {})} />
      {folded && (
        <button type="button" className="md-more" onClick={() => setUnfolded(true)}>
          {t('code.showAll', { lines })}
        </button>
      )}
    </CodeFrame>
  );
});
