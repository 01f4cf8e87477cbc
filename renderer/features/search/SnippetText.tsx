// A piece of a message as plain text (whoever wrote it), with what was found marked.
import type { Snippet } from '../../../shared/model/search';
import styles from './SearchResults.module.css';

export function SnippetText({ snippet: { text, marks } }: { snippet: Snippet }) {
  const pieces = marks.map(([from, to], at) => ({ from, before: text.slice(marks[at - 1]?.[1] ?? 0, from), found: text.slice(from, to) }));
  return (
    <span className={styles.snippet} dir="auto">
      {pieces.map(({ from, before, found }) => (
        <span key={from}>
          {before}
          <mark>{found}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </span>
  );
}
