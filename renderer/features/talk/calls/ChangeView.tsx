// A change to a file as a difference, any other text as it stands. What draws differences is loaded when the first one is shown.
import { lazy, Suspense } from 'react';
import { PlainOutput } from '../../../ui/PlainOutput';

const DiffText = lazy(() => import('./DiffText').then(({ DiffText }) => ({ default: DiffText })));
const EditPreview = lazy(() => import('./DiffText').then(({ EditPreview }) => ({ default: EditPreview })));

export function ChangeView({ text, label, isChange }: { text: string; label: string; isChange: boolean }) {
  const plain = <PlainOutput text={text} label={label} />;
  if (!isChange) return plain;
  return (
    <Suspense fallback={plain}>
      <DiffText text={text} label={label} />
    </Suspense>
  );
}

/** What an edit would do, from the piece of the file it replaces. */
export function EditView({ before, after, label }: { before: string; after: string; label: string }) {
  return (
    <Suspense fallback={<PlainOutput text={after} label={label} />}>
      <EditPreview before={before} after={after} label={label} />
    </Suspense>
  );
}
