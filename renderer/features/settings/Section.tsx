// The frame every section shares: a heading, what it is for, and its groups.
import type { ReactNode } from 'react';
import styles from './Section.module.css';

type SectionProps = { title: string; text?: string | undefined; act?: ReactNode; children: ReactNode };

export function Section({ title, text, act, children }: SectionProps) {
  return (
    <div className={styles.section}>
      <header className={styles.head}>
        <div className={styles.words}>
          <h3>{title}</h3>
          {text ? <p>{text}</p> : null}
        </div>
        {act}
      </header>
      {children}
    </div>
  );
}

export function Group({ title, children }: { title?: string | undefined; children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      {title ? <h4>{title}</h4> : null}
      {children}
    </section>
  );
}
