// The first words of a turn's prompt and answer, beside its row.
import { createPortal } from 'react-dom';
import { plainWords } from '../../../shared/text/plainWords';
import styles from './PreviewCard.module.css';
import { turnMarks, turnText, type Words } from './rowWords';
import type { Preview } from './usePreview';

const gap = 8;
/** In rem. */
const width = 20;

export function PreviewCard({ preview: { turn, content, row }, words }: { preview: Preview; words: Words }) {
  const { t, language, agentName } = words;
  const low = row.top > window.innerHeight / 2;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  // Where there is no room beside the row, over or under it.
  const beside = row.left > (width + 1) * rem;
  const [under, over] = beside ? [row.top, row.bottom] : [row.bottom + gap / 2, row.top - gap / 2];
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(turn.createdAt);
  return createPortal(
    <div
      role="tooltip"
      id="branch-preview"
      className={styles.card}
      style={{
        width: `${width}rem`,
        right: beside ? window.innerWidth - row.left + gap : window.innerWidth - row.right,
        ...(low ? { bottom: window.innerHeight - over } : { top: under }),
      }}
    >
      <p className={styles.prompt} dir="auto">
        {plainWords(content.prompt) || turnText(turn, words)}
      </p>
      {turn.role === 'assistant' && content.prompt === '' ? null : (
        <p className={styles.answer} dir="auto">
          {content.answer === ''
            ? t('preview.noAnswer')
            : t('ui:named', { name: agentName(content.agentId, content.model), value: plainWords(content.answer) })}
        </p>
      )}
      <p className={styles.time}>{[...turnMarks({ turn, isTip: false }, words), when].join(' · ')}</p>
    </div>,
    // Inside the panel, which is a landmark, and outside the list, which would clip it.
    document.getElementById('area-panel') ?? document.body,
  );
}
