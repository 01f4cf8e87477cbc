// A list of acts behind a button or a right click; items are data, so both kinds share one look.

import { Check } from 'lucide-react';
import * as Radix from 'radix-ui/dropdown-menu';
import { type ReactNode, useLayoutEffect } from 'react';
import { cx } from './cx';
import { Kbd } from './Kbd';
import styles from './Menu.module.css';
import { useHost } from './useHost';

export type MenuItem =
  | {
      kind?: 'act' | undefined;
      id: string;
      label: string;
      icon?: ReactNode;
      keys?: string | undefined;
      hint?: string | undefined;
      danger?: boolean | undefined;
      disabled?: boolean | undefined;
      /** Set for a choice among items: shows a mark. */
      checked?: boolean | undefined;
      onSelect(): void;
    }
  | { kind: 'line'; id: string }
  | { kind: 'heading'; id: string; label: string };

function Items({ items }: { items: readonly MenuItem[] }) {
  return items.map((item) => {
    if (item.kind === 'line') return <Radix.Separator key={item.id} className={styles.line} />;
    if (item.kind === 'heading') {
      return (
        <Radix.Label key={item.id} className={styles.heading}>
          {item.label}
        </Radix.Label>
      );
    }
    const inner = (
      <>
        {item.icon ? <span className={styles.icon}>{item.icon}</span> : null}
        <span className={styles.itemLabel}>{item.label}</span>
        {item.hint ? <span className={styles.detail}>{item.hint}</span> : null}
        {item.keys ? <Kbd keys={item.keys} quiet /> : null}
      </>
    );
    const shared = { className: cx(styles.item, item.danger && styles.danger), disabled: item.disabled ?? false, onSelect: item.onSelect };
    if (item.checked === undefined) {
      return (
        <Radix.Item key={item.id} {...shared}>
          {inner}
        </Radix.Item>
      );
    }
    return (
      <Radix.CheckboxItem key={item.id} {...shared} checked={item.checked}>
        <span className={styles.mark}>
          <Radix.ItemIndicator>
            <Check aria-hidden="true" />
          </Radix.ItemIndicator>
        </span>
        {inner}
      </Radix.CheckboxItem>
    );
  });
}

type MenuProps = {
  items: readonly MenuItem[];
  /** The trigger: one button. */
  children: ReactNode;
  align?: 'start' | 'end' | undefined;
  side?: 'top' | 'bottom' | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  /** Focus goes back to the trigger unless an act moved it elsewhere (as an inline rename does). */
  keepFocus?: (() => boolean) | undefined;
};

export function Menu({ items, children, align = 'start', side = 'bottom', onOpenChange, keepFocus }: MenuProps) {
  const { trigger, host, find } = useHost<HTMLButtonElement>();
  const onOpen = (open: boolean) => {
    if (open) find();
    onOpenChange?.(open);
  };
  return (
    <Radix.Root modal={false} onOpenChange={onOpen}>
      <Radix.Trigger asChild ref={trigger}>
        {children}
      </Radix.Trigger>
      <Radix.Portal container={host}>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={styles.content}
          onCloseAutoFocus={(event) => {
            if (keepFocus?.()) event.preventDefault();
          }}
        >
          <Items items={items} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type MenuAtProps = Pick<MenuProps, 'items' | 'align'> & {
  /** Where it opens, in window coordinates. */
  at: { x: number; y: number };
  label: string;
  onClose(): void;
  /** Where focus goes when it closes, unless an act moved it. */
  returnFocus(): void;
};

/** A menu without a trigger of its own: one for a whole list, opened by a right click or a row's button. Mount it to open it. */
export function MenuAt({ items, at, label, align = 'start', onClose, returnFocus }: MenuAtProps) {
  const { trigger, host, find } = useHost<HTMLSpanElement>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the menu is put on the page
  useLayoutEffect(find, []);
  const point = <span ref={trigger} aria-hidden="true" className={styles.point} style={{ left: at.x, top: at.y }} tabIndex={-1} />;
  if (!host) return point;
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>{point}</Radix.Trigger>
      <Radix.Portal container={host}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={2}
          collisionPadding={8}
          className={styles.content}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus();
          }}
        >
          <Items items={items} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
