// An area of the window whose own bugs stay in it.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { makeFailure } from '../../../shared/model/failure';
import { Button } from '../../ui/Button';
import { ErrorBoundary } from '../../ui/ErrorBoundary';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';

export function AreaBoundary({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation('app');
  return (
    <ErrorBoundary
      fallback={(error, retry) => (
        <ErrorState title={t('area.failed', { name })} actions={<Button onClick={retry}>{t('area.reload')}</Button>}>
          <FailureText hideTitle failure={makeFailure('internal', `${error.name}: ${error.message}`)} />
        </ErrorState>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
