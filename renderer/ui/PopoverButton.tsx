// A small button that opens a popover. The popover is built once it is asked for: a talk has many such buttons.
import { type ReactNode, useState } from 'react';
import { IconButton } from './IconButton';
import { Popover } from './Popover';

type PopoverButtonProps = {
  label: string;
  tooltip: string;
  /** What the popover is called. */
  title: string;
  icon: ReactNode;
  /** Made when it opens; `close` puts it away. */
  children(close: () => void): ReactNode;
};

export function PopoverButton({ label, tooltip, title, icon, children }: PopoverButtonProps) {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  const first = () => {
    setUsed(true);
    setOpen(true);
  };
  const button = (
    <IconButton label={label} tooltip={tooltip} size="small" aria-haspopup="dialog" aria-expanded={open} onClick={used ? undefined : first}>
      {icon}
    </IconButton>
  );
  if (!used) return button;
  return (
    <Popover label={title} trigger={button} open={open} onOpenChange={setOpen}>
      {children(() => setOpen(false))}
    </Popover>
  );
}
