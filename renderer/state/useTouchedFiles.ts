// Files that agents read or changed along the open path; asked for again whenever its tip moves, which is all that can change them (T1).
import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { TouchedFile } from '../../shared/model/touchedFile';
import { failureOf } from '../bridge';
import { client } from './client';

/** `files` is null until the first answer of this conversation; what was shown stays while a newer one is on its way. */
export type TouchedFiles = { files: readonly TouchedFile[] | null; failure: Failure | null; reload(): void };
type Answer = { of: ConversationId; files: readonly TouchedFile[] | null; failure: Failure | null };

export function useTouchedFiles(conversationId: ConversationId | null, tipId: MessageId | null): TouchedFiles {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tip and the count only say when to ask again
  useEffect(() => {
    if (!conversationId) return;
    let current = true;
    client()
      .talk.touchedFiles({ conversationId })
      .then(
        (files) => current && setAnswer({ of: conversationId, files, failure: null }),
        (error: unknown) => current && setAnswer({ of: conversationId, files: null, failure: failureOf(error) }),
      );
    return () => {
      current = false;
    };
  }, [conversationId, tipId, asked]);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  const own = answer?.of === conversationId ? answer : null;
  return { files: conversationId ? (own?.files ?? null) : [], failure: own?.failure ?? null, reload };
}
