// Puts the pieces of streamed tool calls together (P3), whatever a server does with indexes and ids. Facts: peers research 2.7.
import type { ProviderEvent, ToolCallEvent, VendorData } from '../../shared/model/request';
import { UniqueCallIds } from './callIds';
import { readArguments } from './toolArguments';

/** One piece of a call; an empty string for what it does not say. */
export type CallDelta = { index: number | null; id: string; name: string; text: string; vendor?: VendorData | undefined };

type Slot = {
  /** The server's index, null while it gave none. */
  index: number | null;
  id: string;
  name: string;
  text: string;
  vendor: VendorData | undefined;
  /** What the server said of the same id again, under another index or after the call was whole. */
  copies: Slot[];
  original: Slot | null;
  /** Our index, once the call was shown; copies are not. */
  shown: number | null;
  /** Characters of `text` that were shown. */
  shownText: number;
};

export class CallAssembler {
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();
  readonly #byId = new Map<string, Slot>();
  readonly #firstNumber: number;
  #last: Slot | null = null;
  #shown = 0;

  /** `firstNumber` as of nextCallNumber: where ids that are made up begin. */
  constructor(firstNumber: number) {
    this.#firstNumber = firstNumber;
  }

  get isEmpty(): boolean {
    return this.#slots.every((slot) => isBlank(slot));
  }

  /** The calls of one chunk, in its order. */
  push(deltas: readonly CallDelta[]): ProviderEvent[] {
    return deltas.flatMap((delta, position) => {
      const slot = this.#slotOf(delta, position, deltas.length === 1);
      this.#byIndex.set(delta.index ?? position, slot);
      slot.index ??= delta.index;
      if (slot.id === '' && delta.id !== '') {
        slot.id = delta.id;
        this.#byId.set(delta.id, slot);
      }
      slot.name = grownName(slot, delta.name);
      slot.text += delta.text;
      slot.vendor ??= delta.vendor;
      this.#last = slot;
      return this.#show(slot);
    });
  }

  /** The calls, whole and in order. */
  finish(): ToolCallEvent[] {
    const ids = new UniqueCallIds(this.#byId.keys(), this.#firstNumber);
    const calls: ToolCallEvent[] = [];
    const extra: { id: string; name: string; text: string }[] = [];
    const event = (index: number, id: string, name: string, text: string, vendor?: VendorData): ToolCallEvent => {
      const read = readArguments(text);
      return {
        type: 'toolCall',
        index,
        callId: ids.give(id),
        name,
        arguments: read.text,
        valid: read.valid,
        ...(vendor ? { vendor } : {}),
      };
    };
    for (const slot of this.#slots) {
      if (isBlank(slot)) continue;
      const { text, others } = merge(slot);
      calls.push(
        event(slot.shown ?? this.#shown++, slot.id, slot.name, text, slot.vendor ?? slot.copies.find(({ vendor }) => vendor)?.vendor),
      );
      extra.push(...others.map((other) => ({ id: slot.id, name: other.name || slot.name, text: other.text })));
    }
    for (const { id, name, text } of extra) calls.push(event(this.#shown++, id, name, text));
    return calls.sort((one, two) => one.index - two.index);
  }

  #slotOf(delta: CallDelta, position: number, alone: boolean): Slot {
    const at = this.#byIndex.get(delta.index ?? position);
    const known = delta.id === '' ? undefined : this.#byId.get(delta.id);
    if (known) return this.#knownSlot(known, at, delta);
    if (delta.id !== '') return at && at.id === '' && !startsAnew(at, delta) ? at : this.#open(null);
    if (delta.name === '') return (delta.index === null && alone ? this.#last : at) ?? this.#open(null);
    return at && !startsAnew(at, delta) ? at : this.#open(null);
  }

  /** A known id is the same call, wherever it stands; what cannot go on with it is kept apart until the end. */
  #knownSlot(known: Slot, at: Slot | undefined, delta: CallDelta): Slot {
    const sameId = at === known || at?.original === known ? at : undefined;
    const elsewhere = delta.index !== null && known.index !== null && delta.index !== known.index;
    const slot = sameId ?? (elsewhere ? undefined : known);
    return slot && !(isWhole(slot) && delta.text.trim() !== '') ? slot : this.#open(known);
  }

  #open(original: Slot | null): Slot {
    const slot: Slot = { index: null, id: '', name: '', text: '', vendor: undefined, copies: [], original, shown: null, shownText: 0 };
    if (original) {
      slot.id = original.id;
      original.copies.push(slot);
    } else this.#slots.push(slot);
    return slot;
  }

  #show(slot: Slot): ProviderEvent[] {
    if (slot.original || slot.name === '') return [];
    const events: ProviderEvent[] = [];
    if (slot.shown === null) {
      slot.shown = this.#shown++;
      events.push({ type: 'toolCallStarted', index: slot.shown, name: slot.name });
    }
    const text = slot.text.slice(slot.shownText);
    slot.shownText = slot.text.length;
    if (text !== '') events.push({ type: 'toolCallDelta', index: slot.shown, name: slot.name, text });
    return events;
  }
}

/** A piece with a name but without a known id, where a call already stands: the next call, or more of the same. */
function startsAnew(slot: Slot, delta: CallDelta): boolean {
  if (isWhole(slot) && delta.text.trim() !== '') return true;
  if (delta.name === '' || slot.name === '' || delta.name === slot.name) return false;
  return slot.text !== '' || delta.index === null;
}

/** Some servers repeat the name in each piece, some send it in pieces. */
function grownName(slot: Slot, name: string): string {
  if (name === '' || name === slot.name) return slot.name;
  if (name.startsWith(slot.name)) return name;
  return slot.text === '' ? slot.name + name : slot.name;
}

/** One call out of all that was said under its id, and those that are calls of their own after all. */
function merge(slot: Slot): { text: string; others: Slot[] } {
  const all = [slot, ...slot.copies];
  if (isWhole(slot)) {
    const seen = new Set([`${slot.name}\n${slot.text}`]);
    const others = slot.copies.filter((copy) => {
      const key = `${copy.name || slot.name}\n${copy.text}`;
      if (!isWhole(copy) || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    return { text: slot.text, others };
  }
  const joined = all.map(({ text }) => text).join('');
  if (slot.copies.length === 0 || readArguments(joined).valid) return { text: joined, others: [] };
  return { text: all.find(isWhole)?.text ?? (slot.text.trim() === '' ? joined : slot.text), others: [] };
}

function isWhole({ text }: Slot): boolean {
  return text.trimEnd().endsWith('}') && readArguments(text).valid;
}

function isBlank(slot: Slot): boolean {
  return slot.name === '' && slot.text === '' && slot.copies.every(({ name, text }) => name === '' && text === '');
}
