// A shortcut as keys; decoration beside a name that says the same.
import { cx } from './cx';
import styles from './Kbd.module.css';
import { writeKeys } from './keys';

export function Kbd({ keys, quiet = false }: { keys: string; quiet?: boolean | undefined }) {
  return <kbd className={cx(styles.kbd, quiet && styles.quiet)}>{writeKeys(keys)}</kbd>;
}
