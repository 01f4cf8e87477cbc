// The shape of what is coming, shown only when it takes longer than 300 ms: faster answers must not flicker.
import { useEffect, useState } from 'react';
import styles from './Skeleton.module.css';
import { VisuallyHidden } from './VisuallyHidden';

type SkeletonProps = {
  /** What is being loaded, for screen readers. */
  label: string;
  /** Width of each line in percent. */
  lines?: readonly number[] | undefined;
};

const usual = [62, 84, 48, 73];

/** True once `active` has lasted for 300 ms. */
export function useLate(active = true, delay = 300): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setLate(true), delay);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [active, delay]);
  return late && active;
}

export function Skeleton({ label, lines = usual }: SkeletonProps) {
  const late = useLate();
  if (!late) return null;
  return (
    <div role="status" className={styles.skeleton}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {lines.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are fixed and have no identity
        <span key={index} className={styles.line} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
