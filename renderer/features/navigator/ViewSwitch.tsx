// The tree as an outline or as a map (U5).
import { ListTree, Network } from 'lucide-react';
import * as Radix from 'radix-ui/radio-group';
import { useTranslation } from 'react-i18next';
import type { NavigatorView } from '../../../shared/model/settings';
import { setNavigatorView, useNavigatorView } from '../../state/layoutSlice';
import styles from './ViewSwitch.module.css';

const icons = { outline: ListTree, map: Network } as const;

export function ViewSwitch() {
  const { t } = useTranslation('navigator');
  return (
    <Radix.Root
      value={useNavigatorView()}
      onValueChange={(next) => setNavigatorView(next as NavigatorView)}
      orientation="horizontal"
      aria-label={t('view')}
      className={styles.views}
    >
      {(['outline', 'map'] as const).map((value) => {
        const Icon = icons[value];
        return (
          <Radix.Item key={value} value={value} aria-label={t(`views.${value}`)} data-tooltip={t(`views.${value}`)} className={styles.view}>
            <Icon aria-hidden="true" />
          </Radix.Item>
        );
      })}
    </Radix.Root>
  );
}
