// A turn's label, written in place of its words: Enter sets it, empty takes it away, Escape leaves it as it was.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Navigator.module.css';

export function LabelField({ label, onDone }: { label: string; onDone(label: string | null): void }) {
  const { t } = useTranslation('navigator');
  const [text, setText] = useState(label);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <input
      ref={input}
      aria-label={t('labelField')}
      placeholder={t('labelField')}
      className={styles.labelField}
      dir="auto"
      maxLength={80}
      // biome-ignore lint/a11y/noAutofocus: it was just asked for
      autoFocus
      value={text}
      onChange={(event) => setText(event.target.value)}
      onClick={(event) => event.stopPropagation()}
      onBlur={() => onDone(null)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') onDone(text.trim());
        else if (event.key === 'Escape') {
          event.preventDefault();
          onDone(null);
        }
      }}
    />
  );
}
