// A modal view with a name: traps focus, Escape closes it alone, focus goes back to where it was.
import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import { type ReactNode, useRef } from 'react';
import { catchFocus } from '../focusEvents';
import { cx } from './cx';
import styles from './Dialog.module.css';
import { IconButton } from './IconButton';

type DialogProps = {
  title: string;
  /** A sentence under the title. */
  description?: string | undefined;
  /** Names the close button; none where the foot has one that closes. */
  closeLabel?: string | undefined;
  open?: boolean | undefined;
  /** Asked to close: by Escape, the close button or a click outside. Keep it open by not changing `open`. */
  onClose(): void;
  /** `palette`: near the top of the window, and it grows downwards. */
  size?: 'small' | 'normal' | 'large' | 'huge' | 'palette' | undefined;
  /** The title is for screen readers alone. */
  plain?: boolean | undefined;
  /** It is gone, and the focus is back. */
  onClosed?: (() => void) | undefined;
  /** Buttons at the foot, the primary one last. */
  footer?: ReactNode;
  /** The content fills the dialog and scrolls by itself. */
  bare?: boolean | undefined;
  role?: 'dialog' | 'alertdialog' | undefined;
  /** What has focus first: a selector inside the dialog; else the first control. */
  focusFirst?: string | undefined;
  children?: ReactNode;
};

export function Dialog({
  title,
  description,
  closeLabel,
  open = true,
  onClose,
  size = 'normal',
  footer,
  bare = false,
  plain = false,
  onClosed,
  role = 'dialog',
  focusFirst,
  children,
}: DialogProps) {
  // There is no trigger: dialogs open by state, so where focus was is kept here.
  const before = useRef<Element>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content
          role={role}
          data-modal=""
          className={cx(styles.content, styles[size])}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement;
            const first = focusFirst && event.target instanceof Element ? event.target.querySelector<HTMLElement>(focusFirst) : null;
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Another one may have opened meanwhile: the focus is its own.
            const modal = [...document.querySelectorAll('[data-modal]')].at(-1);
            if (before.current instanceof HTMLElement && (!modal || modal.contains(before.current))) before.current.focus();
            onClosed?.();
            // What it was opened from is gone, as the entry of a menu is.
            catchFocus();
          }}
          onPointerDownOutside={(event) => role === 'alertdialog' && event.preventDefault()}
        >
          <div className={plain ? styles.unseen : styles.head}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            {closeLabel ? (
              <Radix.Close asChild>
                <IconButton label={closeLabel} size="small" className={styles.close}>
                  <X aria-hidden="true" />
                </IconButton>
              </Radix.Close>
            ) : null}
          </div>
          {description ? <Radix.Description className={styles.description}>{description}</Radix.Description> : null}
          {children ? <div className={bare ? styles.bare : styles.body}>{children}</div> : null}
          {footer ? <div className={styles.foot}>{footer}</div> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
