// JSON Lines and JSON: everything a conversation is, one fact a line, so that nothing has to be held in memory twice (I1, I2). docs/formats.md says how it reads.
import type { BlobHash } from '../../../shared/model/ids';
import { type Bundle, blobsOf, type ExportContext, type Include, limitBundle } from './bundle';

/** The version this program writes. It rises only where an older program that skips what it does not know would misread the rest. */
export const exportVersion = 1;

/** One line of the export; `type` says what it is. */
export type ExportLine = { type: string } & Record<string, unknown>;

async function* linesOf(whole: Bundle, include: Include, context: ExportContext): AsyncGenerator<ExportLine> {
  const bundle = limitBundle(whole, include);
  const { conversation, scope, tipId } = bundle;
  yield { type: 'bough', version: exportVersion, exportedAt: context.exportedAt, scope, include };
  yield { type: 'conversation', conversation: { ...conversation, tipId } };
  for (const agent of bundle.agents) yield { type: 'agent', agent };
  for (const message of bundle.messages) yield { type: 'message', message };
  for (const label of bundle.labels) yield { type: 'label', ...label };
  for (const messageId of bundle.pins) yield { type: 'pin', messageId };
  for (const checkpoint of bundle.checkpoints) yield { type: 'checkpoint', checkpoint };
  for (const tip of bundle.branchTips) yield { type: 'branchTip', ...tip };
  for (const { agentId, steps, records, failed } of bundle.transcripts) {
    for (const step of steps) yield { type: 'step', agentId, step };
    for (const record of records) yield { type: 'record', agentId, record };
    for (const failure of failed) yield { type: 'failed', agentId, failure };
  }
  if (include.attachments) yield* blobLines(blobsOf(bundle), context);
  // A file that ends without this line was cut.
  yield { type: 'end', messages: bundle.messages.length };
}

/** A lost blob is named, so that what is missing is known on the other side, too (I4). */
async function* blobLines(blobs: ReadonlyMap<BlobHash, string>, { readBlob }: ExportContext): AsyncGenerator<ExportLine> {
  for (const [hash, mime] of blobs) {
    const bytes = await readBlob(hash);
    yield bytes ? { type: 'blob', hash, mime, base64: Buffer.from(bytes).toString('base64') } : { type: 'blob', hash, mime, missing: true };
  }
}

export async function* toJsonLines(bundle: Bundle, include: Include, context: ExportContext): AsyncGenerator<string> {
  for await (const line of linesOf(bundle, include, context)) yield `${JSON.stringify(line)}\n`;
}

/** The same lines as one JSON document: `{"bough": 1, "lines": […]}`, one line each. */
export async function* toJson(bundle: Bundle, include: Include, context: ExportContext): AsyncGenerator<string> {
  let before = `{"bough":${exportVersion},"lines":[\n`;
  for await (const line of linesOf(bundle, include, context)) {
    yield `${before}${JSON.stringify(line)}`;
    before = ',\n';
  }
  yield '\n]}\n';
}
