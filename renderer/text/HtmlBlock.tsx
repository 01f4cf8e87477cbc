// A block that is finished HTML, with its formulas filled in once they can be drawn.
import { useMemo } from 'react';
import { escapeHtml } from './escapeHtml';
import { drawFormula, useFormulas } from './formulas';
import type { MathRef } from './grammar';
import { SafeHtml } from './SafeHtml';
import { type CleanHtml, fillFormulas, sanitizeHtml } from './sanitize';

type Props = { html: CleanHtml; math: MathRef[]; className: string };

/** What stands for a formula that is not drawn, yet or at all: its source. */
function source({ tex }: MathRef): CleanHtml {
  return sanitizeHtml(`<code class="md-math">${escapeHtml(tex)}</code>`);
}

function HtmlWithFormulas({ html, math, className }: Props) {
  const ready = useFormulas();
  const filled = useMemo(() => {
    const formulas = math.map((one) => {
      const formula = ready ? drawFormula(one) : null;
      return formula && 'html' in formula ? formula.html : source(one);
    });
    return fillFormulas(html, formulas);
  }, [html, math, ready]);
  return <SafeHtml className={className} dir="auto" html={filled} />;
}

export function HtmlBlock({ html, math, className }: Props) {
  if (math.length > 0) return <HtmlWithFormulas html={html} math={math} className={className} />;
  return <SafeHtml className={className} dir="auto" html={html} />;
}
