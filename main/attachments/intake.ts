// Takes a file of the user's into the workspace: looks at it, refuses it with a reason, or stores its bytes and its text as blobs.
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Attachment, attachmentLimits } from '../../shared/model/draft';
import { type FailureCode, type FailureDetail, FailureError, makeFailure } from '../../shared/model/failure';
import { systemCode } from '../lib/systemError';
import type { BlobStore } from '../transcript/blobs';
import { sniff } from './sniff';

/** Text and page count of a PDF; rejects when it cannot be read. Runs off the main thread. */
export type ReadPdf = (bytes: Uint8Array) => Promise<{ text: string; pages: number }>;
/** Rejects with `imageUnreadable` for what cannot be decoded. Runs off the main thread. */
export type CheckPicture = (bytes: Uint8Array) => Promise<unknown>;
export type IntakeDeps = { blobs: BlobStore; readPdf: ReadPdf; checkPicture?: CheckPicture | undefined };

const largest = Math.max(attachmentLimits.image, attachmentLimits.text, attachmentLimits.pdf);

export async function addPath(deps: IntakeDeps, path: string): Promise<Attachment> {
  const name = basename(path);
  try {
    const { size, isFile } = await stat(path).then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!isFile) throw refused('fileUnsupported', `"${name}" is a folder. Drop files instead.`, { path: name });
    if (size > largest) throw tooLarge(name, size, largest);
    return await addBytes(deps, { name, bytes: await readFile(path) });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') throw refused('fileGone', `"${name}" is no longer there.`, { path: name });
    if (code === 'EACCES' || code === 'EPERM' || code === 'EISDIR')
      throw refused('fileUnsupported', `"${name}" cannot be read.`, { path: name });
    throw error;
  }
}

export async function addBytes(deps: IntakeDeps, file: { name: string; bytes: Uint8Array }): Promise<Attachment> {
  const { bytes } = file;
  const name = file.name.trim() || 'pasted';
  if (bytes.length === 0) throw refused('fileEmpty', `"${name}" is empty.`, { path: name });
  const found = sniff(bytes, name);
  switch (found.kind) {
    case 'image': {
      limit(name, bytes.length, attachmentLimits.image);
      await requireWhole(deps, name, bytes);
      const hash = await deps.blobs.write(bytes, found.mime);
      return { type: 'image', hash, mime: found.mime, name, size: bytes.length, width: found.width, height: found.height };
    }
    case 'pdf':
      limit(name, bytes.length, attachmentLimits.pdf);
      return addPdf(deps, name, bytes);
    case 'text': {
      limit(name, bytes.length, attachmentLimits.text);
      const utf8 = new TextEncoder().encode(found.text);
      const textHash = await deps.blobs.write(utf8, 'text/plain');
      const hash = utf8.length === bytes.length ? textHash : await deps.blobs.write(bytes, 'text/plain');
      return { type: 'file', hash, mime: 'text/plain', name, size: bytes.length, textHash, textLength: found.text.length };
    }
    case 'badImage':
      throw refused('imageUnreadable', `"${name}" is not a picture that can be read. PNG, JPEG, GIF and WebP can.`, { path: name });
    case 'binary':
      throw refused('fileUnsupported', `"${name}" is neither a picture, a PDF nor text.`, { path: name });
  }
}

/** Its first bytes may be those of a picture that is cut off. Where it cannot be looked at, it is taken as it is. */
async function requireWhole({ checkPicture }: IntakeDeps, name: string, bytes: Uint8Array): Promise<void> {
  try {
    await checkPicture?.(bytes);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'imageUnreadable') return;
    throw refused('imageUnreadable', `"${name}" is damaged.`, { path: name }, error);
  }
}

async function addPdf(deps: IntakeDeps, name: string, bytes: Uint8Array): Promise<Attachment> {
  const { text, pages } = await deps.readPdf(bytes).catch((error: unknown) => {
    throw refused('pdfUnreadable', `"${name}" cannot be read. It may be damaged or locked with a password.`, { path: name }, error);
  });
  if (text.trim() === '') throw refused('pdfUnreadable', `"${name}" holds no text, only pictures of pages.`, { path: name });
  const hash = await deps.blobs.write(bytes, 'application/pdf');
  const textHash = await deps.blobs.write(new TextEncoder().encode(text), 'text/plain');
  return { type: 'file', hash, mime: 'application/pdf', name, size: bytes.length, textHash, textLength: text.length, pages };
}

function limit(name: string, size: number, most: number): void {
  if (size > most) throw tooLarge(name, size, most);
}
function tooLarge(name: string, size: number, most: number): FailureError {
  return refused('fileTooLarge', `"${name}" is larger than what is taken.`, { path: name, size, limit: most });
}
function refused(code: FailureCode, message: string, detail: FailureDetail, cause?: unknown): FailureError {
  return new FailureError(makeFailure(code, message, { detail }), { cause });
}
