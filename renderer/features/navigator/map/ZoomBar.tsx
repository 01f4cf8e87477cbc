// The map larger, smaller, as it is meant, and all of it.
import { Maximize, Minus, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton';
import styles from './Map.module.css';
import { type MapSpace, most } from './mapSpace';
import type { Zoom } from './useMapView';

export function ZoomBar({ space, onZoom }: { space: MapSpace; onZoom(how: Zoom): void }) {
  const { t, i18n } = useTranslation('navigator');
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(Math.max(0.01, space.zoom));
  return (
    <fieldset aria-label={t('map.zoom')} className={styles.zoom}>
      <IconButton label={t('map.out')} keys="-" size="small" disabled={space.zoom <= space.least} onClick={() => onZoom('out')}>
        <Minus aria-hidden="true" />
      </IconButton>
      <button
        type="button"
        aria-label={t('map.one', { percent })}
        data-tooltip={t('map.one', { percent })}
        data-tooltip-keys="0"
        className={styles.percent}
        onClick={() => onZoom('one')}
      >
        {percent}
      </button>
      <IconButton label={t('map.in')} keys="+" size="small" disabled={space.zoom >= most} onClick={() => onZoom('in')}>
        <Plus aria-hidden="true" />
      </IconButton>
      <IconButton label={t('map.fit')} size="small" onClick={() => onZoom('fit')}>
        <Maximize aria-hidden="true" />
      </IconButton>
    </fieldset>
  );
}
