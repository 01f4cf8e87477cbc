// Folds a stream of provider events into a message's parts, and says what changed as deltas. Holds one step's text.
import type { Part, Usage } from '../../shared/model/message';
import type { ProviderEvent } from '../../shared/model/request';

export type PartDelta = { index: number; kind: 'text' | 'reasoning'; source?: string | undefined; offset: number; text: string };

export class StepParts {
  #parts: Part[] = [];
  usage: Usage | undefined;

  /** The delta of a text or reasoning event; null for events without text. */
  add(event: ProviderEvent): PartDelta | null {
    if (event.type === 'usage') this.usage = event.usage;
    if (event.type !== 'text' && event.type !== 'reasoning') return null;
    if (event.text === '') return null;
    const last = this.#parts.at(-1);
    const source = event.type === 'reasoning' ? event.source : undefined;
    if (last?.type === event.type && (last.type !== 'reasoning' || last.source === source)) {
      const offset = last.text.length;
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + event.text };
      return { index: this.#parts.length - 1, kind: event.type, source, offset, text: event.text };
    }
    this.#parts.push(event.type === 'text' ? { type: 'text', text: event.text } : { type: 'reasoning', text: event.text, source });
    return { index: this.#parts.length - 1, kind: event.type, source, offset: 0, text: event.text };
  }

  get parts(): Part[] {
    return [...this.#parts];
  }

  /** Whether anything was streamed: then a failure interrupts instead of failing the turn (X9), and nothing is tried again. */
  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  clear(): void {
    this.#parts = [];
    this.usage = undefined;
  }
}
