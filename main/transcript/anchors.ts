// Where memory of an agent is anchored in a conversation, for who looks at the tree.
import { FailureError } from '../../shared/model/failure';
import type { MessageId } from '../../shared/model/ids';
import type { TranscriptPlace } from './liveFile';
import type { Transcripts } from './transcripts';

/** Of the records that hold; none where the transcript cannot be read, which is said where the agent is asked. */
export function anchorsOf(transcripts: Pick<Transcripts, 'open'>, place: TranscriptPlace): MessageId[] {
  try {
    const { records } = transcripts.open(place).standing;
    return [...records.values()].filter(({ undone }) => undone !== true).map(({ anchorId }) => anchorId);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return [];
  }
}
