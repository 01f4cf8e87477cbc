// Makes the transcripts of a conversation that comes from elsewhere and that nobody sees yet: steps into sealed files, then for each agent the live
// file with what stands (X5, I2).
import { join } from 'node:path';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { nothingStands, type Standing, type Step, type TranscriptHead, transcriptVersion } from '../../shared/model/transcript';
import { type Disk, ensureFolder } from '../lib/disk';
import { throwFileFailure } from '../lib/systemError';
import { moveTexts, type TextBlobs } from './bigText';
import { folderName, liveName, sealedName } from './fileName';
import { LineWriter, writeLive } from './lineWriter';

export type WriterDeps = { disk: Disk; folder: string; blobs: TextBlobs; sealAbove: number };

/** A file whose agents take turns at every step would make as many files: beyond these nothing is taken. */
const mostFiles = 500;

type Open = { agentId: AgentId; segment: number; lines: LineWriter };

export class TranscriptWriter {
  readonly #deps: WriterDeps;
  readonly #conversationId: ConversationId;
  readonly #folder: string;
  readonly #segments = new Map<AgentId, number>();
  #open: Open | undefined;
  #files = 0;

  constructor(deps: WriterDeps, conversationId: ConversationId) {
    this.#deps = deps;
    this.#conversationId = conversationId;
    this.#folder = join(deps.folder, folderName(conversationId));
  }

  /** The number of the file, as for an append; null where there are too many. Throws `diskFull` … */
  async add(agentId: AgentId, step: Step): Promise<number | null> {
    try {
      if (this.#open && (this.#open.agentId !== agentId || this.#open.lines.size > this.#deps.sealAbove)) await this.#close();
      this.#open ??= this.#begin(agentId);
      if (!this.#open) return null;
      const stored = moveTexts(step, this.#deps.blobs);
      this.#open.lines.add(Buffer.from(JSON.stringify({ type: 'step', step: stored })));
      return this.#open.segment;
    } catch (error) {
      throwFileFailure(error, this.#folder);
    }
  }

  /** Flushes all of it. Agents that only have steps need not be named. */
  async end(standings: ReadonlyMap<AgentId, Standing>): Promise<void> {
    try {
      await this.#close();
      const { disk } = this.#deps;
      const agents = new Set([...this.#segments.keys(), ...standings.keys()]);
      if (agents.size === 0) return;
      this.#makeFolder();
      for (const agentId of agents) {
        const head = this.#head(agentId, (this.#segments.get(agentId) ?? 0) + 1);
        await writeLive(disk, join(this.#folder, liveName(agentId)), head, standings.get(agentId) ?? nothingStands);
      }
      disk.flushFolder(this.#folder);
    } catch (error) {
      throwFileFailure(error, this.#folder);
    }
  }

  /** Lets go of what is open: the files are removed by who gives up. */
  drop(): void {
    this.#open?.lines.close();
    this.#open = undefined;
  }

  #begin(agentId: AgentId): Open | undefined {
    if (this.#files >= mostFiles) return undefined;
    this.#files += 1;
    this.#makeFolder();
    const segment = (this.#segments.get(agentId) ?? 0) + 1;
    this.#segments.set(agentId, segment);
    const path = join(this.#folder, sealedName(agentId, segment));
    return { agentId, segment, lines: new LineWriter(this.#deps.disk, path, this.#head(agentId, segment)) };
  }

  async #close(): Promise<void> {
    const lines = this.#open?.lines;
    this.#open = undefined;
    try {
      await lines?.end();
    } finally {
      lines?.close();
    }
  }

  #makeFolder(): void {
    ensureFolder(this.#deps.disk, this.#deps.folder);
    ensureFolder(this.#deps.disk, this.#folder);
  }

  #head(agentId: AgentId, segment: number): TranscriptHead {
    return { version: transcriptVersion, conversationId: this.#conversationId, agentId, segment };
  }
}
