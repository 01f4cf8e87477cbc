// Draws a unified diff, or the difference of two texts; what cannot be read as one is shown as text.
import { useMemo } from 'react';
import { DiffView } from '../../../ui/DiffView';
import { differenceOf, readDiff } from '../../../ui/diffHunks';
import { PlainOutput } from '../../../ui/PlainOutput';

export function DiffText({ text, label, named }: { text: string; label: string; named: boolean }) {
  const files = useMemo(() => readDiff(text), [text]);
  if (!files) return <PlainOutput text={text} label={label} />;
  return files.map((diff, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes
    <DiffView key={index} diff={diff} label={label} named={named || files.length > 1} />
  ));
}

export function EditPreview({ before, after, label }: { before: string; after: string; label: string }) {
  const diff = useMemo(() => differenceOf(before, after), [before, after]);
  return <DiffView diff={diff} label={label} numbered={false} />;
}
