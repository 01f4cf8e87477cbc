// A small named view that floats beside its button.
import * as Radix from 'radix-ui/popover';
import { type ReactNode, useRef } from 'react';
import { cx } from './cx';
import styles from './Popover.module.css';
import { useHost } from './useHost';

type PopoverProps = {
  label: string;
  /** The trigger: one button. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  className?: string | undefined;
  /** Opened by the pointer that passes: what has the focus keeps it. */
  keepsFocus?: boolean | undefined;
};

export function Popover({
  label,
  trigger,
  children,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  className,
  keepsFocus = false,
}: PopoverProps) {
  const { trigger: button, host, find } = useHost<HTMLButtonElement>();
  const focusStays = useRef(false);
  const onOpen = (next: boolean) => {
    if (next) find();
    onOpenChange?.(next);
  };
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} onOpenChange={onOpen}>
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={host}>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={cx(styles.content, className)}
          onOpenAutoFocus={(event) => {
            focusStays.current = keepsFocus;
            if (keepsFocus) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            if (focusStays.current) event.preventDefault();
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
