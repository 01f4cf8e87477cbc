// A list of acts behind a button or a right click. The trigger is the child; items are data, so both kinds share one look.

import { Check } from 'lucide-react';
import * as RadixContext from 'radix-ui/context-menu';
import * as Radix from 'radix-ui/dropdown-menu';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Kbd } from './Kbd';
import styles from './Menu.module.css';

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

type Parts = Pick<typeof Radix, 'Item' | 'Separator' | 'Label' | 'CheckboxItem' | 'ItemIndicator'>;

function Items({ items, parts }: { items: readonly MenuItem[]; parts: Parts }) {
  return items.map((item) => {
    if (item.kind === 'line') return <parts.Separator key={item.id} className={styles.line} />;
    if (item.kind === 'heading') {
      return (
        <parts.Label key={item.id} className={styles.heading}>
          {item.label}
        </parts.Label>
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
        <parts.Item key={item.id} {...shared}>
          {inner}
        </parts.Item>
      );
    }
    return (
      <parts.CheckboxItem key={item.id} {...shared} checked={item.checked}>
        <span className={styles.mark}>
          <parts.ItemIndicator>
            <Check aria-hidden="true" />
          </parts.ItemIndicator>
        </span>
        {inner}
      </parts.CheckboxItem>
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
  return (
    <Radix.Root modal={false} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
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
          <Items items={items} parts={Radix} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function ContextMenu({ items, children, keepFocus }: Pick<MenuProps, 'items' | 'children' | 'keepFocus'>) {
  return (
    <RadixContext.Root modal={false}>
      <RadixContext.Trigger asChild>{children}</RadixContext.Trigger>
      <RadixContext.Portal>
        <RadixContext.Content
          collisionPadding={8}
          className={styles.content}
          onCloseAutoFocus={(event) => {
            if (keepFocus?.()) event.preventDefault();
          }}
        >
          <Items items={items} parts={RadixContext} />
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  );
}
