// Long texts of a step go to the blob store and come back when it is read (X4). Lossless: what UTF-8 cannot carry stays in the file.
import { FailureError } from '../../shared/model/failure';
import type { BlobHash } from '../../shared/model/ids';
import type { MovedText, Step } from '../../shared/model/transcript';

/** Bytes of UTF-8 above which a text is moved. */
export const bigText = 64 * 1024;

export type TextBlobs = {
  writeNow(bytes: Uint8Array, mime: string): BlobHash;
  read(hash: BlobHash): Promise<Uint8Array>;
};

/** Stands in the place of a text whose blob is lost: read by the model and by the user. */
export function lostText(size: number): string {
  return `[${size} bytes of text that stood here are no longer in the workspace.]`;
}

/** The step as it goes into the file. Throws what `writeNow` throws. */
export function moveTexts(step: Step, blobs: TextBlobs): Step {
  const moved: MovedText[] = [];
  const keep = (list: MovedText['list'], index: number, text: string): string => {
    if (text.length * 3 <= bigText) return text;
    const bytes = Buffer.from(text);
    if (bytes.length <= bigText || bytes.toString() !== text) return text;
    moved.push({ list, index, hash: blobs.writeNow(bytes, 'text/plain'), size: bytes.length });
    return '';
  };
  const content = step.content.map((part, index) => {
    if (part.type === 'text' || part.type === 'reasoning') return { ...part, text: keep('content', index, part.text) };
    if (part.type === 'raw') return { ...part, json: keep('content', index, part.json) };
    return part;
  });
  const results = step.results.map((result, index) =>
    result.content === undefined ? result : { ...result, content: keep('results', index, result.content) },
  );
  return moved.length === 0 ? step : { ...step, content, results, moved };
}

/** The step as it was, from the file. A lost blob becomes a notice, never a reference; `whenGone` is told of it. */
export async function bringTexts(step: Step, blobs: Pick<TextBlobs, 'read'>, whenGone: (hash: BlobHash) => void): Promise<Step> {
  if (!step.moved) return step;
  const { moved, ...whole } = { ...step, content: [...step.content], results: [...step.results] };
  for (const { list, index, hash, size } of moved ?? []) {
    const bytes = await blobs.read(hash).catch(whenLost);
    if (!bytes) whenGone(hash);
    const text = bytes ? Buffer.from(bytes).toString() : lostText(size);
    const part = whole.content[index];
    const result = whole.results[index];
    if (list === 'results' && result) whole.results[index] = { ...result, content: text };
    if (list === 'content' && part && 'text' in part) whole.content[index] = { ...part, text };
    // What no adapter understood has no place for a notice of its own.
    if (list === 'content' && part?.type === 'raw') whole.content[index] = bytes ? { ...part, json: text } : { type: 'text', text };
  }
  return whole;
}

function whenLost(error: unknown): undefined {
  if (error instanceof FailureError) return undefined;
  throw error;
}
