// What is printed on a page, read from its blob when it is looked at; a mark of a line break is shown as the break.
import { useEffect, useState } from 'react';
import type { BlobHash } from '../../../shared/model/ids';
import { blobUrl } from '../AttachmentTile';

export type PageText = { state: 'reading' | 'gone' } | { state: 'read'; text: string };

/** Drawn where a line ends; in a text itself the same character is printed as its number, so nothing else can be meant. */
const lineMark = '█';

export function usePageText(hash: BlobHash | undefined): PageText {
  const [found, setFound] = useState<{ hash: BlobHash; text: string | null } | null>(null);
  useEffect(() => {
    if (!hash) return;
    const reading = new AbortController();
    void readText(hash, reading.signal).then((text) => {
      if (!reading.signal.aborted) setFound({ hash, text });
    });
    return () => reading.abort();
  }, [hash]);
  if (!hash) return { state: 'gone' };
  if (found?.hash !== hash) return { state: 'reading' };
  return found.text === null ? { state: 'gone' } : { state: 'read', text: found.text };
}

async function readText(hash: BlobHash, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(blobUrl({ hash, mime: 'text/plain' }), { signal });
    return answer.ok ? (await answer.text()).replaceAll(lineMark, '\n') : null;
  } catch {
    // Whatever keeps a blob from being read, for the page its text is not there.
    return null;
  }
}
