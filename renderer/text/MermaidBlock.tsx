// A diagram: drawn once its fence is closed and near the visible part, shown as an image, with its source one click away.
import { Code, Image } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeFrame, CodeLines } from './CodeBlock';
import { CopyButton } from './CopyButton';
import { type Drawing, type DrawingTheme, drawDiagram, knownDrawing } from './drawings';
import { whenNearAndIdle } from './lazily';
import type { CodeNode } from './nodes';
import { useTheme } from './useTheme';

function useDrawing(source: string, theme: DrawingTheme) {
  const box = useRef<HTMLDivElement>(null);
  const [made, setMade] = useState<{ source: string; theme: DrawingTheme; drawing: Drawing } | null>(null);
  useEffect(() => {
    const target = box.current;
    if (!target || knownDrawing(source, theme)) return undefined;
    let wanted = true;
    const giveUp = whenNearAndIdle(target, () => {
      void drawDiagram(source, theme).then((drawing) => {
        if (wanted) setMade({ source, theme, drawing });
      });
    });
    return () => {
      wanted = false;
      giveUp();
    };
  }, [source, theme]);
  const current = made?.source === source ? made : null;
  // While the other theme's drawing is being made the old one stays: no flicker to the source.
  const drawing = knownDrawing(source, theme) ?? current?.drawing;
  return { box, drawing };
}

export function MermaidBlock({ node }: { node: CodeNode }) {
  const { t } = useTranslation('text');
  const source = node.chunks.join('\n');
  const { box, drawing } = useDrawing(source, useTheme());
  const [asSource, setAsSource] = useState(false);
  const image = drawing && 'url' in drawing ? drawing : null;
  const showsImage = image !== null && !asSource;
  const toggle = asSource ? t('diagram.showDrawing') : t('diagram.showSource');
  const Icon = asSource ? Image : Code;
  return (
    <div ref={box} className="md-diagram" data-drawn={image !== null}>
      <CodeFrame
        label="Mermaid"
        tools={
          <>
            {image && (
              <button type="button" className="md-tool" aria-label={toggle} title={toggle} onClick={() => setAsSource(!asSource)}>
                <Icon size={15} strokeWidth={1.75} aria-hidden />
              </button>
            )}
            <CopyButton label={t('diagram.copy')} text={() => source} />
          </>
        }
      >
        {showsImage ? (
          <div className="md-drawing">
            {/* In rem: its words grow with the text. The attributes keep its shape. */}
            <img
              src={image.url}
              width={image.width}
              height={image.height}
              style={{ width: `${image.width / 16}rem`, height: 'auto' }}
              alt={image.title || t('diagram.label')}
              draggable={false}
            />
          </div>
        ) : (
          <CodeLines node={node} wrap={false} />
        )}
        {drawing && 'error' in drawing && <p className="md-note">{t('diagram.failed', { reason: drawing.error })}</p>}
      </CodeFrame>
    </div>
  );
}
