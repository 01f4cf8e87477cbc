// Branded ids: a readable prefix, an underscore, a ULID. They sort by the time they were made, but order in the tree is never taken from them.
import * as z from 'zod/mini';

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

export type MessageId = Brand<'MessageId'>;
export type ConversationId = Brand<'ConversationId'>;
export type TurnId = Brand<'TurnId'>;
export type FailedTurnId = Brand<'FailedTurnId'>;
/** A step's id; the message a step becomes has the same ULID behind `msg_`. */
export type StepId = Brand<'StepId'>;
/** Chosen by the user or a slug of the name; unlike the others it is not a ULID. */
export type AgentId = Brand<'AgentId'>;
export type ProviderId = Brand<'ProviderId'>;
/** Lower-case hex SHA-256 of a blob's bytes. */
export type BlobHash = Brand<'BlobHash'>;
/** A memory record in a transcript. */
export type RecordId = Brand<'RecordId'>;
/** A message that waits for a running turn (A6). */
export type QueuedId = Brand<'QueuedId'>;
/** One deletion (T8). */
export type TrashId = Brand<'TrashId'>;

export type IdByPrefix = {
  msg: MessageId;
  cnv: ConversationId;
  trn: TurnId;
  stp: StepId;
  fld: FailedTurnId;
  rec: RecordId;
  que: QueuedId;
  trs: TrashId;
};
export type IdPrefix = keyof IdByPrefix;

const branded = <T extends string>(pattern: RegExp) =>
  z.pipe(
    z.string().check(z.maxLength(200), z.regex(pattern)),
    z.transform((text) => text as T),
  );

export const messageId = branded<MessageId>(/^[\w:.-]+$/);
export const conversationId = branded<ConversationId>(/^[\w:.-]+$/);
export const failedTurnId = branded<FailedTurnId>(/^[\w:.-]+$/);
export const stepId = branded<StepId>(/^[\w:.-]+$/);
export const turnId = branded<TurnId>(/^[\w:.-]+$/);
export const recordId = branded<RecordId>(/^[\w:.-]+$/);
export const queuedId = branded<QueuedId>(/^[\w:.-]+$/);
export const trashId = branded<TrashId>(/^[\w:.-]+$/);
export const agentId = branded<AgentId>(/^[\w:.@ -]+$/u);
export const providerId = branded<ProviderId>(/^[\w:.-]+$/);
export const blobHash = branded<BlobHash>(/^[0-9a-f]{64}$/);

/** Makes ids from a source of ULIDs (main gives a monotonic one seeded from node:crypto; tests a counted one). */
export type NewId = <P extends IdPrefix>(prefix: P) => IdByPrefix[P];

export function makeNewId(ulid: () => string): NewId {
  return <P extends IdPrefix>(prefix: P) => `${prefix}_${ulid()}` as IdByPrefix[P];
}

/** The message a step becomes when it ends: `stp_X` → `msg_X`. */
export function messageIdOfStep(step: StepId): MessageId {
  return step.replace(/^stp_/, 'msg_') as MessageId;
}
