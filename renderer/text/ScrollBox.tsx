// A box that scrolls sideways inside its own frame, named and reachable by keyboard.
import type { ReactNode, Ref } from 'react';

type Props = { label: string; className: string; children: ReactNode; ref?: Ref<HTMLDivElement> };

export function ScrollBox({ label, className, children, ref }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would claim form controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <div ref={ref} role="group" aria-label={label} tabIndex={0} className={className}>
      {children}
    </div>
  );
}
