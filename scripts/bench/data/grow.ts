// Grows one conversation message by message: mostly down, now and then back up to an older message and on from there.
import type { AgentId, ConversationId, MessageId, NewId, TurnId } from '../../../shared/model/ids';
import type { Message, Part } from '../../../shared/model/message';
import { jumpOfChild } from '../../../shared/tree/links';
import type { Random } from './random';
import type { Plan } from './sizes';
import type { Texts } from './texts';

/** A message with its derived columns (main/store/migrations/0010). */
export type Grown = { message: Message; ordinal: number; depth: number; jumpId: string };
/** T6's row for a branch that was left. */
export type Left = { childId: string; tipId: string };
type Place = { id: MessageId; depth: number; jumpDepth: number; children: number; turnId: TurnId };

export const benchAgent = 'assistant' as AgentId;
export const benchModel = 'demo/demo-large';

export type Source = { random: Random; texts: Texts; newId: NewId; now(): number };

export class Growth {
  readonly plan: Plan;
  readonly left: Left[] = [];
  made = 0;
  roots = 0;
  readonly #source: Source;
  /** The path to the tip, root first: only on it does a conversation grow. */
  readonly #path: Place[] = [];

  constructor(plan: Plan, source: Source) {
    this.plan = plan;
    this.#source = source;
  }

  get tipId(): MessageId | null {
    return this.#path.at(-1)?.id ?? null;
  }

  /** The next message, under the tip or under a message above it. */
  next(): Grown {
    this.#goBack();
    const parent = this.#path.at(-1);
    const role = this.#path.length % 2 === 0 ? 'user' : 'assistant';
    const { newId } = this.#source;
    const id = newId('msg');
    const place: Place = {
      id,
      depth: this.#path.length,
      jumpDepth: this.#jumpDepth(parent),
      children: 0,
      turnId: role === 'user' || !parent ? newId('trn') : parent.turnId,
    };
    if (parent) parent.children++;
    else this.roots++;
    this.#path.push(place);
    this.made++;
    return {
      message: this.#message(id, parent?.id ?? null, role, place.turnId),
      ordinal: parent ? parent.children : this.roots,
      depth: place.depth,
      jumpId: this.#path[place.jumpDepth]?.id ?? id,
    };
  }

  #jumpDepth(parent: Place | undefined): number {
    const jump = parent && this.#path[parent.jumpDepth];
    const jumpOfJump = jump && this.#path[jump.jumpDepth];
    if (!(parent && jump && jumpOfJump)) return this.#path.length;
    return jumpOfChild(parent, jump, jumpOfJump) === jumpOfJump.id ? jumpOfJump.depth : parent.depth;
  }

  #goBack(): void {
    const up = this.#stepsBack();
    if (up === 0) return;
    const kept = this.#path.length - up;
    const child = this.#path[kept];
    const tip = this.#path.at(-1);
    if (child && tip) this.left.push({ childId: child.id, tipId: tip.id });
    this.#path.length = kept;
  }

  #stepsBack(): number {
    const { random } = this.#source;
    const depth = this.#path.length;
    switch (this.plan.shape) {
      case 'deep':
      case 'short':
        return 0;
      case 'wide':
        // Thirty messages down to the hub; its answers one after the other; thirty more under the last.
        return depth === 31 && this.made < this.plan.messages - 30 ? 1 : 0;
      case 'long':
        return random.next() < 0.005 && depth > 40 ? random.between(1, 20) : 0;
      case 'usual':
        return random.next() < 0.03 && depth > 2 ? Math.min(depth - 1, random.between(1, 20)) : 0;
    }
  }

  #message(id: MessageId, parentId: MessageId | null, role: 'user' | 'assistant', turnId: TurnId): Message {
    const { random, texts, now } = this.#source;
    const base = { id, conversationId: this.plan.id as ConversationId, parentId, status: 'complete' as const, turnId, createdAt: now() };
    if (role === 'user') return { ...base, role, parts: [{ type: 'text', text: texts.prompt() }] };
    const text: Part = { type: 'text', text: texts.answer() };
    const thinks = random.next() < 0.05;
    return {
      ...base,
      role,
      parts: thinks ? [{ type: 'reasoning', text: texts.prompt(), source: 'reasoning' }, text] : [text],
      agentId: benchAgent,
      model: benchModel,
      usage: { input: random.between(40, 9_000), output: random.between(10, 900) },
      durationMs: random.between(300, 30_000),
    };
  }
}
