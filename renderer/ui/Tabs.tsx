// Tabs over views: arrows move between them. `vertical` is a list at the side.
import * as Radix from 'radix-ui/tabs';
import type { ReactNode } from 'react';
import { cx } from './cx';
import styles from './Tabs.module.css';

export type Tab<T extends string> = { value: T; label: string; icon?: ReactNode; content: ReactNode };
type TabsProps<T extends string> = {
  /** Names the tablist. */
  label: string;
  value: T;
  tabs: readonly Tab<T>[];
  onChange(value: T): void;
  vertical?: boolean | undefined;
  /** Arrows only move; Enter opens. For tabs that may have to ask before they change: focus alone must not. */
  manual?: boolean | undefined;
  /** Beside the tabs, at the end of their bar. */
  aside?: ReactNode;
};

export function Tabs<T extends string>({ label, value, tabs, onChange, vertical = false, manual = false, aside }: TabsProps<T>) {
  const choose = (next: string) => {
    const tab = tabs.find((candidate) => candidate.value === next);
    if (tab) onChange(tab.value);
  };
  return (
    <Radix.Root
      value={value}
      onValueChange={choose}
      activationMode={manual ? 'manual' : 'automatic'}
      orientation={vertical ? 'vertical' : 'horizontal'}
      className={cx(styles.root, vertical && styles.vertical)}
    >
      <div className={styles.bar}>
        <Radix.List aria-label={label} className={styles.list}>
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
              {tab.icon}
              <span>{tab.label}</span>
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside ? <div className={styles.aside}>{aside}</div> : null}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={styles.content}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
