// The bough: a stem and three leaves.
import styles from './Logo.module.css';

export function Logo({ large = false }: { large?: boolean | undefined }) {
  return (
    <svg className={large ? styles.large : styles.logo} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 21.5V9.5M12 14.5c0-4 6-3 6-7.5M12 17.5c0-3-6-2-6-6.5" />
      <circle cx="18" cy="5" r="1.9" />
      <circle cx="6" cy="9" r="1.9" />
      <circle cx="12" cy="7" r="1.9" />
    </svg>
  );
}
