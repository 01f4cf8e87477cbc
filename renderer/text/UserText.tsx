// What a person typed: Markdown that keeps its line breaks; what is very long starts folded and unfolds piece by piece.
import { memo, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { whenIdle } from './lazily';
import { type LongText, readLongText } from './longText';
import { MarkdownView, type MarkdownViewProps } from './MarkdownView';

/** Pieces shown at once and added in each idle moment. */
const pieceStep = 20;

function LongPieces({ long }: { long: LongText }) {
  const [shown, setShown] = useState(pieceStep);
  const done = shown >= long.pieces.length;
  useEffect(() => (done ? undefined : whenIdle(() => setShown(shown + pieceStep))), [shown, done]);
  return (
    <div className="md">
      {long.pieces.slice(0, shown).map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces never change their place
        <div key={at} className="md-long-piece" dir="auto">
          {piece}
        </div>
      ))}
    </div>
  );
}

export const UserText = memo(function UserText(props: Omit<MarkdownViewProps, 'streaming' | 'breaks'>) {
  const { t } = useTranslation('text');
  const { text } = props;
  const long = useMemo(() => readLongText(text), [text]);
  const [unfolded, setUnfolded] = useState(false);
  if (!long) return <MarkdownView {...props} breaks />;
  return (
    <div className="md-long">
      {unfolded ? (
        <LongPieces long={long} />
      ) : (
        <div className="md">
          <div className="md-long-piece" dir="auto">
            {long.start}
          </div>
        </div>
      )}
      <button type="button" className="md-more" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        {unfolded ? t('long.showLess') : t('long.showAll', { lines: long.lines })}
      </button>
    </div>
  );
});
