// The straight runs of a tree and the turns in them (U5), kept while messages are added: one more message changes its own run alone.
import { type Bone, derive } from './derive';

export type OutlineBone = Bone & { role: 'user' | 'assistant' | 'digest'; turnId: string | null };

/** `first` and `last` are places in the index, as are the `starts` of its turns. */
export type Run = { first: number; last: number; starts: number[]; messages: number; children: number };

/** Where a message stands: the run, and the place of its turn in it. */
export type Spot = { run: Run; at: number };

/** Lives as long as a conversation is looked at; messages are numbered in the order in which they were given. */
export class OutlineIndex {
  readonly bones: OutlineBone[] = [];
  readonly runs: Run[] = [];
  #place = new Map<string, number>();
  readonly #parent: number[] = [];
  readonly #run: Run[] = [];
  /** Of each message, the place of its turn in its run. */
  readonly #turn: number[] = [];

  /** Of any bones at all: where parents are missing or close a ring, they stand as the tree's repair says (T7). */
  static of(bones: readonly OutlineBone[]): OutlineIndex {
    const index = new OutlineIndex();
    const { ordered, parents, place } = inOrder(bones);
    index.#place = place;
    const children = new Int32Array(ordered.length);
    for (const parent of parents) if (parent >= 0) children[parent] = (children[parent] ?? 0) + 1;
    for (let at = 0; at < ordered.length; at++) {
      const [bone, parent = -1] = [ordered[at], parents[at]];
      if (bone) index.#note(bone, parent);
      if (parent >= 0 && children[parent] === 1) index.#lengthen(at, parent);
      else index.#begin(at, parent);
    }
    return index;
  }

  get size(): number {
    return this.bones.length;
  }
  spot(id: string): Spot | undefined {
    const place = this.#place.get(id);
    return place === undefined ? undefined : this.spotAt(place);
  }
  /** Its number; -1 when it is not here. */
  placeOf(id: string): number {
    return this.#place.get(id) ?? -1;
  }
  spotAt(place: number): Spot | undefined {
    const run = this.#run[place];
    return run && { run, at: this.#turn[place] ?? 0 };
  }
  /** The run it hangs under. */
  parentRun(run: Run): Run | undefined {
    const parent = this.#parent[run.first] ?? -1;
    return parent < 0 ? undefined : this.#run[parent];
  }
  /** The message below, in the same run. */
  next(place: number): number | undefined {
    const run = this.#run[place];
    return run && place !== run.last ? (this.#below.get(place) ?? place + 1) : undefined;
  }
  /** Depth of a message, given by its number: kept with it, since those of a run need not follow one another. */
  depthAt(place: number): number {
    return this.#depth[place] ?? 0;
  }
  readonly #depth: number[] = [];
  /** Within a run the next message is nearly always the next one given; where not, it is noted here. */
  readonly #below = new Map<number, number>();

  /** One more message; false when its parent is not here, and the whole has to be made anew. */
  add(bone: OutlineBone): boolean {
    const parent = bone.parentId === null ? -1 : this.#place.get(bone.parentId);
    if (parent === undefined || this.#place.has(bone.id)) return false;
    const at = this.bones.length;
    this.#place.set(bone.id, at);
    this.#note(bone, parent);
    const above = this.#run[parent];
    if (above && parent !== above.last) this.#split(above, parent);
    if (above && parent === above.last && above.children === 0) this.#lengthen(at, parent);
    else this.#begin(at, parent);
    return true;
  }

  #note(bone: OutlineBone, parent: number): void {
    this.bones.push(bone);
    this.#parent.push(parent);
    this.#depth.push(parent < 0 ? 0 : (this.#depth[parent] ?? 0) + 1);
  }

  #begin(at: number, parent: number): void {
    const above = this.#run[parent];
    if (above) above.children++;
    const run: Run = { first: at, last: at, starts: [at], messages: 1, children: 0 };
    this.runs.push(run);
    this.#run[at] = run;
    this.#turn[at] = 0;
  }

  #lengthen(at: number, parent: number): void {
    const run = this.#run[parent];
    if (!run) return;
    if (at !== parent + 1) this.#below.set(parent, at);
    run.last = at;
    run.messages++;
    if (this.#startsTurn(at, parent)) run.starts.push(at);
    this.#run[at] = run;
    this.#turn[at] = run.starts.length - 1;
  }

  /** A message in the middle gets a second child: what was below it becomes a run of its own, with what hung under it. */
  #split(run: Run, at: number): void {
    const first = this.next(at);
    if (first === undefined) return;
    const below: Run = { first, last: run.last, starts: [], messages: 0, children: run.children };
    for (let place: number | undefined = first, above = at; place !== undefined; ) {
      if (place === first || this.#startsTurn(place, above)) below.starts.push(place);
      const next: number | undefined = this.next(place);
      this.#run[place] = below;
      this.#turn[place] = below.starts.length - 1;
      below.messages++;
      above = place;
      place = next;
    }
    run.last = at;
    run.messages -= below.messages;
    run.starts.length = (this.#turn[at] ?? 0) + 1;
    run.children = 1;
    this.runs.push(below);
  }

  /** A prompt begins a turn, unless it was steered into the one above it; so does a digest. */
  #startsTurn(at: number, above: number): boolean {
    const bone = this.bones[at];
    if (!bone || bone.role === 'assistant') return false;
    return bone.role === 'digest' || bone.turnId === null || bone.turnId !== this.bones[above]?.turnId;
  }
}

type Ordered = { ordered: readonly OutlineBone[]; parents: number[]; place: Map<string, number> };

/** Parents before children, by order of creation where that holds already; `parents` are places in the list, -1 at roots. */
function inOrder(bones: readonly OutlineBone[]): Ordered {
  const place = new Map<string, number>();
  const parents: number[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const bone of bones) {
    const parent = bone.parentId === null ? -1 : place.get(bone.parentId);
    if (parent === undefined || bone.seq <= before) return repaired(bones);
    before = bone.seq;
    place.set(bone.id, parents.length);
    parents.push(parent);
  }
  return { ordered: bones, parents, place };
}

function repaired(bones: readonly OutlineBone[]): Ordered {
  const derived = derive(bones);
  const depthOf = (bone: OutlineBone) => derived.get(bone.id)?.depth ?? 0;
  const ordered = [...bones].sort((a, b) => depthOf(a) - depthOf(b) || a.seq - b.seq);
  const place = new Map(ordered.map((bone, at): [string, number] => [bone.id, at]));
  const parents = ordered.map((bone) => {
    const underId = derived.get(bone.id)?.underId ?? null;
    return underId === null ? -1 : (place.get(underId) ?? -1);
  });
  return { ordered, parents, place };
}
