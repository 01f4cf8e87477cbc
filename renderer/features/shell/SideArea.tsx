// An area beside the talk: dragged to a width, or over the talk where the window is narrow.
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Area, keepAreaWidth, setAreaOpen, setAreaWidth } from '../../state/layoutSlice';
import { cx } from '../../ui/cx';
import { Splitter } from '../../ui/Splitter';
import styles from './SideArea.module.css';
import { useAreaWidth } from './useAreaWidth';

type SideAreaProps = { area: Area; scale: number; narrow: boolean; label: string; children: ReactNode };

export function SideArea({ area, scale, narrow, label, children }: SideAreaProps) {
  const { t } = useTranslation('app');
  const { wished, width, least, most, usual } = useAreaWidth(area, scale);
  const id = `area-${area}`;
  const close = () => setAreaOpen(area, false);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!narrow) return;
    const before = document.activeElement;
    place.current?.focus();
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [narrow]);
  return (
    <>
      {/* A click beside the area closes it; Escape and its button do the same by keyboard. */}
      {narrow ? <div className={styles.scrim} onPointerDown={close} /> : null}
      <aside
        ref={place}
        id={id}
        tabIndex={-1}
        aria-label={label}
        className={cx(styles.area, styles[area], narrow && styles.over)}
        style={{ width: narrow ? `min(${wished}px, 86vw)` : `${width}px` }}
        onKeyDown={(event) => {
          if (!narrow || event.key !== 'Escape' || event.defaultPrevented) return;
          event.preventDefault();
          close();
        }}
      >
        {children}
        {narrow ? null : (
          <Splitter
            label={t(`resize.${area}`)}
            controls={id}
            side={area === 'sidebar' ? 'before' : 'after'}
            value={width}
            min={Math.round(least)}
            max={Math.round(most)}
            usual={usual}
            onChange={(next) => setAreaWidth(area, next / scale)}
            onDone={(next) => keepAreaWidth(area, Math.round(next / scale))}
          />
        )}
      </aside>
    </>
  );
}
