// The second rung (L3): old images become placeholders that name them, those of tools before the user's. Pure.
import type { MessageId, TurnId } from '../../../shared/model/ids';
import type { DroppedImage } from '../../../shared/model/memoryRecord';
import type { BuiltImage, BuiltMessage } from '../pathMessage';
import { builtTokens } from '../requestSize';

export type DropArgs = {
  /** As they are sent now. */
  sent: readonly BuiltMessage[];
  /** Left out already. */
  before: readonly DroppedImage[];
  pins: ReadonlySet<MessageId>;
  numbers: { protectTokens: number; keepImages: number };
  scale: number;
};

/** Oldest first. `tool` goes before `user` does. */
export type DropPlan = Record<BuiltImage['of'], DroppedImage[]>;

export function planDropImages({ sent, before, pins, numbers, scale }: DropArgs): DropPlan {
  const gone = new Set(before.map(({ messageId, hash }) => `${messageId} ${hash}`));
  const first = sent.find(({ role }) => role === 'user')?.id;
  const turn = turnInProgress(sent);
  const plan: DropPlan = { tool: [], user: [] };
  let after = 0;
  let newer = 0;
  for (const one of [...sent].reverse()) {
    const isOld = after * scale >= numbers.protectTokens;
    after += builtTokens(one, true);
    for (const image of [...one.images].reverse()) {
      if (gone.has(`${one.id} ${image.hash}`)) continue;
      newer++;
      const stays = newer <= numbers.keepImages || pins.has(one.id) || one.id === first || (turn !== undefined && one.turnId === turn);
      if (isOld && !stays) plan[image.of].unshift({ messageId: one.id, hash: image.hash });
    }
  }
  return plan;
}

/** The turn that the newest message belongs to. */
export function turnInProgress(sent: readonly Pick<BuiltMessage, 'turnId'>[]): TurnId | undefined {
  return sent.at(-1)?.turnId;
}
