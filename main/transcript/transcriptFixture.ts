// Transcripts in a temporary folder over a disk that counts and fails as told, for tests.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentId, ConversationId, MessageId, RecordId, StepId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { Step } from '../../shared/model/transcript';
import { type Disk, disk } from '../lib/disk';
import { createBlobStore } from './blobs';
import type { TranscriptNotice, TranscriptPlace } from './liveFile';
import { createTranscripts, type Transcripts, type TranscriptsOptions } from './transcripts';

/** A call of the disk: its name, and the bytes it carried. */
export type DiskCall = { name: keyof Disk; bytes: number };

export type WatchedDisk = { disk: Disk; calls: DiskCall[]; failNext: ((name: keyof Disk, count: number) => Error | undefined) | null };

/** The real disk, with every call noted, and the chance to fail before it is made. */
export function watchedDisk(): WatchedDisk {
  const watched: WatchedDisk = { disk: { ...disk }, calls: [], failNext: null };
  const via = <T>(name: keyof Disk, bytes: number, call: () => T): T => {
    watched.calls.push({ name, bytes });
    const error = watched.failNext?.(name, watched.calls.length);
    if (error) throw error;
    return call();
  };
  watched.disk = {
    open: (path, flags) => via('open', 0, () => disk.open(path, flags)),
    close: (file) => disk.close(file),
    size: (file) => via('size', 0, () => disk.size(file)),
    read: (file, buffer, position) => via('read', buffer.length, () => disk.read(file, buffer, position)),
    write: (file, bytes, position) => via('write', bytes.length, () => disk.write(file, bytes, position)),
    truncate: (file, size) => via('truncate', 0, () => disk.truncate(file, size)),
    flush: (file) => via('flush', 0, () => disk.flush(file)),
    flushLater: (file) => via('flushLater', 0, () => disk.flushLater(file)),
    readWhole: (path) => via('readWhole', 0, () => disk.readWhole(path)),
    names: (folder) => via('names', 0, () => disk.names(folder)),
    makeFolder: (path) => via('makeFolder', 0, () => disk.makeFolder(path)),
    rename: (from, to) => via('rename', 0, () => disk.rename(from, to)),
    link: (from, to) => via('link', 0, () => disk.link(from, to)),
    copy: (from, to) => via('copy', 0, () => disk.copy(from, to)),
    remove: (path) => disk.remove(path),
    flushFolder: (path) => via('flushFolder', 0, () => disk.flushFolder(path)),
  };
  return watched;
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export const place: TranscriptPlace = { conversationId: 'cnv_1' as ConversationId, agentId: 'helper' as AgentId };

export type TranscriptTest = {
  folder: string;
  watched: WatchedDisk;
  notices: TranscriptNotice[];
  /** A new one over the same files, as after a start of the program. */
  again(more?: Pick<TranscriptsOptions, 'sealAbove' | 'sayAbove' | 'readOnly'>): Transcripts;
  /** Path of a file of `place`. */
  file(name?: string): string;
  names(): string[];
  text(name?: string): string;
  remove(): void;
};

export function makeTranscripts(): TranscriptTest {
  const folder = mkdtempSync(join(tmpdir(), 'bough-transcripts-'));
  const watched = watchedDisk();
  const file = (name = 'helper.json') => join(folder, 'transcripts', 'cnv_1', name);
  const test: TranscriptTest = {
    folder,
    watched,
    notices: [],
    again(more = {}) {
      const blobs = createBlobStore({ folder: join(folder, 'blobs'), record: () => undefined });
      const transcripts = createTranscripts({ folder: join(folder, 'transcripts'), blobs, disk: watched.disk, ...more });
      transcripts.listen((notice) => test.notices.push(notice));
      return transcripts;
    },
    file,
    names: () => (existsSync(join(folder, 'transcripts', 'cnv_1')) ? readdirSync(join(folder, 'transcripts', 'cnv_1')).sort() : []),
    text: (name) => readFileSync(file(name), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  return test;
}

export function makeTranscriptStep(name: string, parent: string, text: string, more: Partial<Step> = {}): Step {
  return {
    id: `stp_${name}` as StepId,
    messageId: `msg_${name}` as MessageId,
    parentId: `msg_${parent}` as MessageId,
    turnId: 'trn_1' as TurnId,
    model: 'local/m1',
    content: [{ type: 'text', text }],
    results: [],
    createdAt: 1,
    ...more,
  };
}

export function makeRecord(name: string, anchor: string, more: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    id: `rec_${name}` as RecordId,
    kind: 'card',
    anchorId: `msg_${anchor}` as MessageId,
    folded: [],
    elided: [],
    droppedImages: [],
    body: { text: 'card', pages: [], files: [], references: [] },
    wordingVersion: 1,
    receipt: { trigger: 'hand', tokensBefore: 9, tokensAfter: 3, bytesBefore: 90, bytesAfter: 30, kept: [], durationMs: 1, createdAt: 1 },
    ...more,
  };
}
