// Tells a screen reader when an answer starts, ends or fails; never its text (U7).
import { useTranslation } from 'react-i18next';
import { useAnnounced } from '../../state/announceSlice';
import { VisuallyHidden } from '../../ui/VisuallyHidden';

export function LiveRegion() {
  const { t } = useTranslation('app');
  const { what, count } = useAnnounced();
  return (
    <VisuallyHidden>
      <span aria-live="polite" aria-atomic="true">
        {/* A new element each time: the same words twice are read twice. */}
        <span key={count}>{what ? t(`announce.${what}`) : ''}</span>
      </span>
    </VisuallyHidden>
  );
}
