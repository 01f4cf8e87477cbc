// One message of the path as it goes into a request, by itself: what it becomes depends on nothing but itself, its step and whether it was
// continued, so that what was built once is built for good (L9, L10). Pure.
import type { Agent } from '../../shared/model/agent';
import type { AgentId, MessageId, TurnId } from '../../shared/model/ids';
import { type ImagePart, type Message, type Role, textOf } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { RequestMessage, ToolDefinition } from '../../shared/model/request';
import type { Step, StepPart } from '../../shared/model/transcript';
import type { ImagePrice } from './imagePrice';
import { type Leaving, type Sight, toRequestParts } from './requestParts';
import { type ResultFacts, resultFacts } from './resultFacts';
import { stepAsText, stepMessages, type Told } from './stepMessages';
import { attributed, brokeOff, digestFrame } from './wording';

/** What decides how messages are told. */
export type Reading = Omit<Sight, 'leaving'> & {
  agentId: Agent['id'];
  /** Nothing may be called: calls and results are told as text, so that no server refuses them. */
  callsAsText: boolean;
  /** Of an image, in tokens; a flat price when left out. */
  price?: ImagePrice | undefined;
  /** What the other agents are called. */
  agentNames: ReadonlyMap<AgentId, string>;
  /** Checkpoints by their message: a digest under one names it. */
  labels: ReadonlyMap<MessageId, string>;
};

/** Where a message stands, and what is asked of it also when it is not sent. */
export type PathPlace = {
  id: MessageId;
  role: Role;
  turnId: TurnId | undefined;
  /** Broke off: what it becomes hangs on what follows it. */
  interrupted: boolean;
  /** Tokens the provider reported for the request and its answer; of an own step only. */
  reported: number | undefined;
  /** Unix time in milliseconds. */
  createdAt: number;
};

export type BuiltMessage = PathPlace & {
  /** Never changed, and shared between requests. */
  messages: readonly RequestMessage[];
  /** An own answer that the transcript lacks: told from the store (X7). */
  retold: boolean;
  /** Of its own step, in the order of the calls; found out when first asked. */
  results(): readonly ResultFacts[];
  images: readonly BuiltImage[];
  /** What an image costs the model it was built for. */
  price: ImagePrice | undefined;
  /** The same message with something left out of it; asked twice for the same it builds twice. */
  without(leaving: Leaving): readonly RequestMessage[];
};

/** A message of a path; of one that the records leave out as a whole, only its place may be there. */
export type PathMessage = BuiltMessage | (PathPlace & { messages?: undefined });

export function isBuilt(one: PathMessage): one is BuiltMessage {
  return one.messages !== undefined;
}

/** `size` in bytes, `width` and `height` in pixels. */
export type BuiltImage = Pick<ImagePart, 'hash' | 'name' | 'size' | 'width' | 'height'> & { of: 'user' | 'tool' };

/** Tools given but none of them: nothing may be called. Where nothing is said of tools, calls stay what they are. */
export function tellsCalls(model: ModelInfo, tools: readonly ToolDefinition[] | undefined): boolean {
  return model.tools === false || tools?.length === 0;
}

export function offersRecall(tools: readonly ToolDefinition[] | undefined): boolean {
  return tools?.some(({ name }) => name === 'recall') === true;
}

/** Whether the next message goes on with this one (X9): nothing follows, so it is continued now, or a step of the same turn does. */
export function isContinued(message: Message, next: Pick<Message, 'role' | 'turnId'> | undefined): boolean {
  return next === undefined || (next.role === 'assistant' && next.turnId === message.turnId);
}

export function buildMessage(reading: Reading, message: Message, step: Step | undefined, continued: boolean): BuiltMessage {
  const { id, role, turnId, createdAt } = message;
  const interrupted = message.status === 'interrupted';
  const own = isOwn(message, reading.agentId);
  const how = { own, broke: interrupted && !continued };
  const ownStep = own ? step : undefined;
  const build = (sight: Sighted) => toMessages(sight, message, ownStep, how).filter(isSaid);
  const messages = build(reading);
  return {
    id,
    role,
    turnId,
    interrupted,
    reported: own ? reportedBy(message) : undefined,
    createdAt,
    messages,
    retold: own && !step,
    results: ownStep && messages.length > 0 ? once(() => resultFacts(ownStep)) : () => noResults,
    images: imagesOf(reading, message, ownStep),
    price: reading.price,
    without: (leaving) => build({ ...reading, leaving }),
  };
}

export function placeOf(message: Message, agentId: AgentId): PathPlace {
  const { id, role, turnId, createdAt } = message;
  const reported = isOwn(message, agentId) ? reportedBy(message) : undefined;
  return { id, role, turnId, interrupted: message.status === 'interrupted', reported, createdAt };
}

/** What is left of a built message that is not sent any more. */
export function onlyPlace({ id, role, turnId, interrupted, reported, createdAt }: PathPlace): PathPlace {
  return { id, role, turnId, interrupted, reported, createdAt };
}

function isOwn({ role, agentId }: Message, by: AgentId): boolean {
  return role === 'assistant' && (agentId === undefined || agentId === by);
}

const noResults: readonly ResultFacts[] = [];
const noImages: readonly BuiltImage[] = [];

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Reasoning is billed and not sent back. */
function reportedBy({ usage }: Message): number | undefined {
  return usage && !usage.estimated ? usage.input + usage.output - (usage.reasoning ?? 0) : undefined;
}

/** Those that are sent. */
function imagesOf({ vision, missing }: Reading, { role, parts }: Message, step: Step | undefined): readonly BuiltImage[] {
  if (!vision || (role === 'assistant' && !step)) return noImages;
  const said: readonly StepPart[] = step?.content ?? parts;
  const results = step?.results ?? [];
  // Nearly none has any.
  if (!said.some(({ type }) => type === 'image') && !results.some(({ images }) => images)) return noImages;
  const own = said.flatMap((part) => (part.type === 'image' ? [part] : []));
  const shown = results.flatMap(({ images = [] }) => images);
  const facts = (of: BuiltImage['of'], images: readonly ImagePart[]) =>
    images.flatMap(({ hash, name, size, width, height }) => (missing.has(hash) ? [] : [{ hash, name, size, width, height, of }]));
  return [...facts('user', own), ...facts('tool', shown)];
}

type Sighted = Reading & Sight;

function toMessages(
  reading: Sighted,
  message: Message,
  step: Step | undefined,
  { own, broke }: { own: boolean; broke: boolean },
): RequestMessage[] {
  if (message.role === 'digest') return digest(reading, message);
  if (message.role === 'assistant' && !own) return others(reading, message, broke);
  // Only answers break off; what a person wrote is never half.
  if (broke && message.role === 'assistant') return [{ role: 'assistant', parts: [{ type: 'text', text: brokeOff }] }];
  if (step) return reading.callsAsText ? stepAsText(step, reading) : stepMessages(step, reading);
  if (message.role === 'assistant') return stepAsText(toTold(message), reading);
  return [{ role: 'user', parts: message.parts.flatMap((part) => (part.type === 'toolCall' ? [] : toRequestParts(part, reading))) }];
}

/** What another agent said, without its reasoning and tool traffic (X1). */
function others({ agentNames }: Reading, message: Message, broke: boolean): RequestMessage[] {
  const text = broke ? brokeOff : textOf(message);
  const id = message.agentId ?? '';
  const name = message.agentId === undefined ? id : (agentNames.get(message.agentId) ?? id);
  return text.trim() === '' ? [] : [{ role: 'user', parts: [{ type: 'text', text: attributed(name, text) }] }];
}

function digest(reading: Reading, message: Message): RequestMessage[] {
  const isCarried = message.digest !== undefined && message.digest.label === undefined;
  const label = message.parentId === null ? undefined : reading.labels.get(message.parentId);
  return [{ role: 'user', parts: [{ type: 'text', text: digestFrame(isCarried ? 'otherBranch' : { label }, textOf(message)) }] }];
}

/** The message as a step: the one-line summary is all that the store has of a result. */
function toTold({ parts }: Message): Told {
  const results = parts.flatMap((part) =>
    part.type === 'toolCall' && part.summary !== undefined ? [{ callId: part.callId, summary: part.summary, isError: part.isError }] : [],
  );
  return { content: parts, results };
}

/** An answer without a word says nothing: one that was stopped before its first, for one, is simply answered when it is continued. */
function isSaid({ role, parts }: RequestMessage): boolean {
  return role !== 'assistant' ? parts.length > 0 : parts.some(({ type }) => type !== 'reasoning' && type !== 'vendor');
}
