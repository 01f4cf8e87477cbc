// Folds a stream of provider events into a step's exact content (X3), and says what changed for windows. Holds one step.
import type { Part, Usage } from '../../shared/model/message';
import type { ProviderEvent, ToolCallEvent, VendorData } from '../../shared/model/request';
import { type StepPart, shownPart } from '../../shared/model/transcript';

/** `index` counts the parts that windows see: opaque items are none. */
export type ContentChange =
  | {
      type: 'delta';
      index: number;
      kind: 'text' | 'reasoning' | 'toolCall';
      source?: string | undefined;
      call?: { callId: string; name: string } | undefined;
      offset: number;
      text: string;
    }
  | { type: 'part'; index: number; part: Part };

type CallPart = Extract<StepPart, { type: 'toolCall' }>;

export class StepContent {
  #parts: StepPart[] = [];
  /** Calls whose arguments still stream, by their number in the answer: they are shown, and no part of the content until they are whole. */
  readonly #drafts = new Map<number, CallPart>();
  usage: Usage | undefined;

  /** A content that was kept. */
  static of(parts: readonly StepPart[]): StepContent {
    const content = new StepContent();
    content.#parts = [...parts];
    return content;
  }

  /** Null for what changes nothing that is shown. */
  add(event: ProviderEvent): ContentChange | null {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return event.text === '' ? null : this.#addText(event);
      case 'toolCallStarted':
        return this.#addDraft(event.index, event.name, '');
      case 'toolCallDelta':
        return this.#addDraft(event.index, event.name, event.text);
      case 'toolCall':
        return this.#addCall(event);
      case 'vendor':
        this.#addVendor(event.on, event.vendor);
        return null;
      case 'usage':
        // A count that covers only a part of what was sent calibrates nothing.
        this.usage = event.sign === 'truncated' ? { ...event.usage, estimated: true } : event.usage;
        return null;
      default:
        return null;
    }
  }

  /** What is kept: exactly what came, without calls that were never finished. */
  get content(): StepPart[] {
    const drafts = new Set<StepPart>(this.#drafts.values());
    return this.#parts.filter((part) => !drafts.has(part));
  }

  /** What windows show, calls in the making included. */
  get shown(): Part[] {
    return this.#parts.flatMap(shownPart);
  }

  get calls(): CallPart[] {
    return this.content.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
  }

  /** Whether nothing that counts came: then a failure fails the turn instead of interrupting it (X9), and may be tried again. */
  get isEmpty(): boolean {
    return !this.content.some(
      (part) => part.type === 'toolCall' || ((part.type === 'text' || part.type === 'reasoning') && part.text !== ''),
    );
  }

  clear(): void {
    this.#parts = [];
    this.#drafts.clear();
    this.usage = undefined;
  }

  #addText(event: Extract<ProviderEvent, { type: 'text' | 'reasoning' }>): ContentChange {
    const { type: kind, text } = event;
    const source = kind === 'reasoning' ? event.source : undefined;
    const last = this.#parts.at(-1);
    // Opaque data ends its part: what comes after it is another.
    const grows = last?.type === kind && last.vendor === undefined && (last.type !== 'reasoning' || last.source === source);
    if (grows) {
      const offset = last.text.length;
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text };
      return { type: 'delta', index: this.#shownIndex(this.#parts.length - 1), kind, source, offset, text };
    }
    this.#parts.push(kind === 'text' ? { type: 'text', text } : { type: 'reasoning', text, source });
    return { type: 'delta', index: this.#shownIndex(this.#parts.length - 1), kind, source, offset: 0, text };
  }

  #addDraft(number: number, name: string, text: string): ContentChange | null {
    const old = this.#drafts.get(number);
    const draft: CallPart = {
      type: 'toolCall',
      callId: draftId(number),
      name: name || (old?.name ?? ''),
      arguments: (old?.arguments ?? '') + text,
    };
    const place = old ? this.#parts.indexOf(old) : this.#parts.length;
    this.#parts[place] = draft;
    this.#drafts.set(number, draft);
    const call = { callId: draft.callId, name: draft.name };
    return { type: 'delta', index: this.#shownIndex(place), kind: 'toolCall', call, offset: old?.arguments.length ?? 0, text };
  }

  #addCall({ index: number, callId, name, arguments: args, vendor }: ToolCallEvent): ContentChange {
    const draft = this.#drafts.get(number);
    this.#drafts.delete(number);
    const part: CallPart = { type: 'toolCall', callId, name, arguments: args, ...(vendor ? { vendor } : {}) };
    const place = draft ? this.#parts.indexOf(draft) : this.#parts.length;
    this.#parts[place] = part;
    const { vendor: _, ...shown } = part;
    return { type: 'part', index: this.#shownIndex(place), part: shown };
  }

  /** Of the text or reasoning that came last, also when that is empty; an item of its own stands in its place. */
  #addVendor(on: 'text' | 'reasoning' | 'item', vendor: VendorData): void {
    const last = this.#parts.at(-1);
    if (on === 'item') this.#parts.push({ type: 'vendor', vendor });
    else if (last?.type === on && last.vendor === undefined) this.#parts[this.#parts.length - 1] = { ...last, vendor };
    else this.#parts.push({ type: on, text: '', vendor });
  }

  #shownIndex(place: number): number {
    let index = 0;
    for (const part of this.#parts.slice(0, place)) index += shownPart(part).length;
    return index;
  }
}

function draftId(number: number): string {
  return `draft-${number}`;
}
