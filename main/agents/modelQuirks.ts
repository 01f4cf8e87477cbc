// What models were found not to take while the program runs: pictures that were refused, tools at all, prompts that were cut (P4, P7).
import type { BlobHash, ConversationId, TurnId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { ModelInfo } from '../../shared/model/provider';

export class ModelQuirks {
  readonly #refused = new Map<string, Set<BlobHash>>();
  readonly #blind = new Map<string, TurnId>();
  readonly #unread = new Map<string, { pages: ReadonlySet<BlobHash>; settings: string }>();
  readonly #settings = new Map<string, string>();
  readonly #withoutTools = new Set<string>();
  readonly #told = new Set<string>();

  /** Pictures that stay out of later requests of this conversation, too; so that none bricks it. */
  refuse(conversationId: ConversationId, model: string, images: readonly BlobHash[]): void {
    const name = `${conversationId} ${model}`;
    this.#refused.set(name, new Set([...(this.#refused.get(name) ?? []), ...images]));
  }

  refused(conversationId: ConversationId, model: string): ReadonlySet<BlobHash> {
    return this.#refused.get(`${conversationId} ${model}`) ?? new Set();
  }

  /** For the rest of this turn: a model that sees by the person's own word is shown images again in the next one. */
  lookAway(conversationId: ConversationId, model: string, turnId: TurnId): void {
    this.#blind.set(`${conversationId} ${model}`, turnId);
  }

  looksAway(conversationId: ConversationId, model: string, turnId: TurnId): boolean {
    return this.#blind.get(`${conversationId} ${model}`) === turnId;
  }

  /** Pages that stay out of later requests until other ones are made, or the settings of the model change (S10). */
  cannotRead(conversationId: ConversationId, model: string, pages: ReadonlySet<BlobHash>): void {
    this.#unread.set(`${conversationId} ${model}`, { pages, settings: this.#settings.get(model) ?? '' });
  }

  /** What the model is set up as now: what was found of pages holds for that alone. */
  setUpAs(model: string, settings: unknown): void {
    this.#settings.set(model, JSON.stringify(settings));
  }

  #unreadPages(conversationId: ConversationId, model: string): Pick<ModelInfo, 'unreadPages'> {
    const unread = this.#unread.get(`${conversationId} ${model}`);
    return unread && unread.settings === (this.#settings.get(model) ?? '') ? { unreadPages: unread.pages } : {};
  }

  takesNoTools(model: string): void {
    this.#withoutTools.add(model);
  }

  /** False once its server refused them. */
  takesTools(model: string): boolean {
    return !this.#withoutTools.has(model);
  }

  /** The model as it was found to be here. */
  asFound({ conversationId, model, turnId }: Pick<LiveStep, 'conversationId' | 'model' | 'turnId'>, info: ModelInfo): ModelInfo {
    const tools = this.takesTools(model) ? {} : { tools: false };
    const vision = this.looksAway(conversationId, model, turnId) ? { vision: false } : {};
    return { ...info, ...tools, ...vision, ...this.#unreadPages(conversationId, model) };
  }

  /** True the first time only: what is said once. */
  first(what: string, model: string): boolean {
    const name = `${what} ${model}`;
    if (this.#told.has(name)) return false;
    this.#told.add(name);
    return true;
  }
}
