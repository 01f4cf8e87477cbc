// A change to a file as a difference, any other text as it stands. What draws differences is loaded when the first one is shown.
import { lazy, Suspense } from 'react';
import { PlainOutput } from '../../../ui/PlainOutput';

const DiffText = lazy(() => import('./DiffText').then(({ DiffText }) => ({ default: DiffText })));
const EditPreview = lazy(() => import('./DiffText').then(({ EditPreview }) => ({ default: EditPreview })));

type ChangeProps = { text: string; label: string; isChange: boolean; named?: boolean | undefined };

/** `named`: with the name of the file, where nothing else says it. */
export function ChangeView({ text, label, isChange, named = true }: ChangeProps) {
  const plain = <PlainOutput text={text} label={label} />;
  if (!isChange) return plain;
  return (
    <Suspense fallback={plain}>
      <DiffText text={text} label={label} named={named} />
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
