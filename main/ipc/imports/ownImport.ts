// One of Bough's own exports on its way into a workspace: messages and marks are gathered, steps and blobs written as they come, and the whole is
// shown when its end is there (I2, I4). Nothing that the file says is followed before it is checked.
import type { AgentId, BlobHash, ConversationId, MessageId } from '../../../shared/model/ids';
import { emptyCounts } from '../../../shared/model/importReport';
import { entriesOf, type Step } from '../../../shared/model/transcript';
import { blobsOf } from '../../interchange/export/bundle';
import { count } from '../../interchange/importedTree';
import type { WriteResult } from '../../interchange/importNotes';
import type { OwnLine, OwnMessage } from '../../interchange/ownLine';
import { inSlices } from '../../lib/slices';
import { getConversation } from '../../store/conversations';
import { transaction } from '../../store/database';
import { loosenHash } from '../../store/emptyTrash';
import { beginImported, findImported, isImported } from '../../store/importRows';
import type { TranscriptStep } from '../../store/transcriptSteps';
import { forkStanding } from '../../transcript/forkStanding';
import type { TranscriptWriter } from '../../transcript/writeFiles';
import { ownIds } from './ownIds';
import { gatheredSize, keepCarried, type OwnFact, placeOf, said } from './ownLineFacts';
import { aboutOf, type Gathered, preparing } from './ownRows';
import { goOn, knownAs, type Prepared, removeLeftovers, type WriteDeps, writeInTurns } from './writing';

type Begin = Extract<OwnLine, { type: 'begin' }>;

/** Each agent is a file: a conversation has no more of them than this. */
const mostAgents = 500;
/** Characters of messages, marks and records, which are gathered: more would not fit into memory beside all else. */
const mostGathered = 400_000_000;

export class OwnImport {
  readonly #all: Gathered;
  readonly #shown = new Set<MessageId>();
  readonly #named = new Set<BlobHash>();
  /** Bytes of each blob that came in the file. */
  readonly #carried = new Map<BlobHash, number>();
  readonly #written: BlobHash[] = [];
  readonly #leftOut = new Map<string, number>();
  readonly #limit: number;
  #gathered = 0;
  #writer: TranscriptWriter | null = null;

  constructor(deps: WriteDeps, begin: Begin) {
    this.#limit = deps.mostGathered ?? mostGathered;
    const { db, mode, newId } = deps;
    const before = mode === 'copy' ? null : known(deps, begin.sourceId);
    const id = before ?? newId('cnv');
    const byId: Gathered['byId'] = new Map();
    const ids = ownIds({ db, id, isOriginal: id === begin.sourceId, has: (one) => byId.has(one), newId });
    const empty = { rows: [], keys: new Set<string>(), agents: new Map(), stands: new Map(), steps: [], marks: [] };
    this.#all = { deps, begin, known: before, id, ids, byId, ...empty };
  }

  get #isLeft(): boolean {
    return this.#all.known !== null && this.#all.deps.mode === 'skip';
  }

  get #isTooLarge(): boolean {
    return this.#gathered > this.#limit;
  }

  async take(line: OwnFact): Promise<void> {
    if (this.#isLeft || this.#isTooLarge) return;
    if (line.type !== 'step' && line.type !== 'blob') this.#gathered += gatheredSize(line);
    if (this.#isTooLarge) {
      await this.giveUp();
      this.#forget();
      return;
    }
    goOn(this.#all.deps);
    switch (line.type) {
      case 'agent':
        if (this.#all.agents.size < mostAgents) this.#all.agents.set(line.agent.id, line.agent);
        else count(this.#leftOut, 'agent');
        break;
      case 'message':
        this.#addMessage(line.message);
        break;
      case 'step':
        if (!(await this.#addStep(line))) count(this.#leftOut, 'step');
        break;
      case 'record':
      case 'failed':
        if (!this.#addStanding(line)) count(this.#leftOut, line.type);
        break;
      case 'blob':
        await this.#addBlob(line);
        break;
      default:
        if (this.#all.byId.has(line.type === 'branchTip' ? line.childId : line.messageId)) this.#all.marks.push(line);
        else count(this.#leftOut, line.type);
    }
  }

  #forget(): void {
    const { rows, keys, byId, marks, stands, steps } = this.#all;
    for (const list of [rows, marks, steps]) list.length = 0;
    for (const known of [keys, byId, stands]) known.clear();
  }

  async finish(): Promise<WriteResult> {
    if (this.#isLeft) return knownAs(this.#all.id);
    if (this.#isTooLarge) return { outcome: 'tooLarge', conversationId: this.#all.id, counts: emptyCounts() };
    const prepared = await inSlices(preparing(this.#all));
    let lost = 0;
    for (const { records } of this.#all.stands.values()) lost += keepCarried(records, this.#carried);
    if (lost > 0) count(this.#leftOut, 'record', lost);
    await this.#endTranscripts(prepared);
    const result = await writeInTurns(this.#all.deps, prepared);
    return { ...result, leftOut: [...this.#leftOut] };
  }

  async #endTranscripts({ rows }: Prepared): Promise<void> {
    const { db, transcripts } = this.#all.deps;
    const standings = new Map([...this.#all.stands].map(([agentId, stands]) => [agentId, forkStanding(stands, this.#all.ids)]));
    if (this.#all.known === null) {
      if (this.#writer || standings.size > 0) await this.#openWriter().end(standings);
      return;
    }
    // What concerns messages that were there is as it was.
    const added = new Set(rows.messages.flatMap(({ id }) => (isImported(db, id) ? [] : [id])));
    for (const [agentId, standing] of standings) {
      const entries = entriesOf(standing).filter((entry) => added.has(placeOf(entry)));
      for (const entry of entries) transcripts.append({ conversationId: this.#all.id, agentId }, entry);
    }
  }

  /** Leaves nothing of it. */
  async giveUp(): Promise<void> {
    const { db } = this.#all.deps;
    this.#writer?.drop();
    try {
      await removeLeftovers(this.#all.deps);
      // Whether anything else names them is found out when the trash is emptied.
      transaction(db, () => {
        for (const hash of this.#written) loosenHash(db, hash);
      });
    } catch {
      // On a full disk this fails, too: then the next import does it.
    }
  }

  #addMessage(message: OwnMessage): void {
    let key: string = message.id;
    for (let number = 2; this.#all.keys.has(key); number++) key = `${message.id}#${number}`;
    this.#all.keys.add(key);
    this.#all.rows.push({ key, message });
    if (key === message.id) this.#all.byId.set(message.id, message);
    this.#name({ messages: [message], transcripts: [] });
  }

  /** False where it belongs to no message of that agent, or says something else than the message that shows it. */
  async #addStep({ agentId, step }: Extract<OwnFact, { type: 'step' }>): Promise<boolean> {
    const source = this.#all.byId.get(step.messageId);
    if (source?.role !== 'assistant' || source.agentId !== agentId || this.#shown.has(source.id)) return false;
    if (!this.#isSeat(agentId) || said(source.parts) !== said(step.content)) return false;
    this.#shown.add(source.id);
    const messageId = this.#all.ids.name(source.id);
    if (this.#all.known !== null && isImported(this.#all.deps.db, messageId)) return true;
    const copy: Step = {
      ...step,
      id: stepIdOf(messageId),
      messageId,
      parentId: this.#all.ids.name(step.parentId),
      turnId: this.#all.ids.turn(step.turnId),
    };
    const place = { conversationId: this.#all.id, agentId };
    const file =
      this.#all.known === null
        ? await this.#openWriter().add(agentId, copy)
        : this.#all.deps.transcripts.append(place, { type: 'step', step: copy }).file;
    if (file === null) return false;
    this.#all.steps.push({ stepId: copy.id, messageId, ...place, file });
    this.#name({ messages: [], transcripts: [{ steps: [step], records: [] }] });
    return true;
  }

  #addStanding(line: Extract<OwnFact, { type: 'record' | 'failed' }>): boolean {
    const at = line.type === 'record' ? line.record.anchorId : line.failure.parentId;
    if (!this.#all.byId.has(at) || !this.#isSeat(line.agentId)) return false;
    const stands = this.#all.stands.get(line.agentId) ?? { records: new Map(), failed: new Map() };
    this.#all.stands.set(line.agentId, stands);
    if (line.type === 'failed') stands.failed.set(at, line.failure);
    else {
      stands.records.set(line.record.id, line.record);
      this.#name({ messages: [], transcripts: [{ steps: [], records: [line.record] }] });
    }
    return true;
  }

  #isSeat(agentId: AgentId): boolean {
    return this.#all.stands.has(agentId) || this.#all.agents.has(agentId) || this.#all.stands.size + this.#all.agents.size < mostAgents;
  }

  #name(some: Parameters<typeof blobsOf>[0]): void {
    for (const hash of blobsOf(some).keys()) this.#named.add(hash);
  }

  /** Named by its bytes, so that nothing here can be written over; what nothing in the file refers to is not kept. */
  async #addBlob({ hash, mime, base64 }: Extract<OwnFact, { type: 'blob' }>): Promise<void> {
    const { blobs } = this.#all.deps;
    if (!this.#named.has(hash)) {
      count(this.#leftOut, 'blob');
      return;
    }
    const bytes = Buffer.from(base64, 'base64');
    this.#carried.set(hash, bytes.length);
    if (!blobs.has(hash)) this.#written.push(hash);
    await blobs.write(bytes, mime);
  }

  /** Before its first file the conversation has a row, so that what a crash leaves is found. */
  #openWriter(): TranscriptWriter {
    if (this.#writer) return this.#writer;
    const { db, transcripts } = this.#all.deps;
    transaction(db, () => beginImported(db, aboutOf(this.#all)));
    this.#writer = transcripts.writer(this.#all.id);
    return this.#writer;
  }
}

/** A conversation that came from this file before, or the one it was made of. */
function known({ db }: WriteDeps, sourceId: string): ConversationId | null {
  const imported = findImported(db, { format: 'bough', sourceId });
  return imported ?? getConversation(db, sourceId as ConversationId)?.id ?? null;
}

const stepIdOf = (id: MessageId): TranscriptStep['stepId'] => id.replace(/^msg_/, 'stp_') as TranscriptStep['stepId'];
