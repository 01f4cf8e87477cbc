// What a program printed, as it stands: plain text that wraps, and scrolls inside when it is long.
import styles from './PlainOutput.module.css';

export function PlainOutput({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre className={styles.output} role="group" aria-label={label} tabIndex={0} dir="auto">
      {text}
    </pre>
  );
}
