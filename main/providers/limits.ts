// The limits in force for a model (L7, L14, S10): the user's word, else the smallest of what is known and what a refusal taught. Pure.
import * as z from 'zod/mini';
import bodies from '../../assets/catalog/bodies.json';
import { type Failure, FailureError } from '../../shared/model/failure';
import type { LearnedBlindness, LearnedFacts, LearnedNumber, Lesson, OfferedModel, ProviderConfig } from '../../shared/model/provider';
import { isLocalUrl, normalizeBaseUrl } from './baseUrl';

type Config = Omit<ProviderConfig, 'apiKey'>;
/** What the server's own list says of the model, and when it was asked. */
export type Listed = { window?: number | undefined; vision?: boolean | undefined; at: number };

/** `model` as merged from the user's numbers, the server's list and the catalogue. */
export function withLimits(model: OfferedModel, config: Config, learned: LearnedFacts, listed: Listed | undefined): OfferedModel {
  const own = config.models.find(({ id }) => id === model.id);
  const isLocal = isLocalServer(config);
  const window = learned.window && !isOutdated(learned.window, listed, isLocal) ? learned.window : undefined;
  const noImages = learned.noImages && !seesSince(learned.noImages, listed, isLocal) ? learned.noImages : undefined;
  const { bodyLimit, maxImages } = learned;
  const inForce = {
    contextWindow: own?.contextWindow ?? least(model.contextWindow, window?.value),
    bodyLimit: own?.bodyLimit ?? least(model.bodyLimit ?? bodyLimitOf(config), bodyLimit?.value),
    maxImages: own?.maxImages ?? least(model.maxImages, maxImages?.value),
    vision: own?.vision ?? (noImages ? false : model.vision),
  };
  const shown: LearnedFacts = stated({ window, bodyLimit, maxImages, noImages });
  return { ...model, ...stated(inForce), ...(Object.keys(shown).length > 0 ? { learned: shown } : {}) };
}

function stated<T extends object>(facts: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}

/**
 * Whether the server's own list has a larger window since. A list that names what it named when the number was learned tells what the model
 * could do, as the catalogue does, and was wrong. Where it named nothing then, only a server here is believed: its list tells what is loaded.
 */
function isOutdated({ value, at, listed: then }: LearnedNumber, now: Listed | undefined, isLocal: boolean): boolean {
  if (now?.window === undefined || now.window <= value) return false;
  return then === undefined ? isLocal && now.at > at : now.window !== then;
}

/** The same of sight: whether the server's own list says since that the model sees. */
function seesSince({ at, listed: then }: LearnedBlindness, now: Listed | undefined, isLocal: boolean): boolean {
  if (now?.vision !== true || then === true) return false;
  return then === false || (isLocal && now.at > at);
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

/** False for an address that is none: that is said where it is used. */
export function isLocalServer(config: Config): boolean {
  const address = addressOf(config);
  return address !== null && config.kind !== 'gemini' && isLocalUrl(address);
}

function addressOf({ kind, baseUrl }: Config): string | null {
  try {
    return kind === 'demo' ? null : normalizeBaseUrl(kind, baseUrl);
  } catch (error) {
    if (error instanceof FailureError) return null;
    throw error;
  }
}

const bodySchema = z.array(z.object({ hosts: z.array(z.string()), bodyLimit: z.int().check(z.minimum(1)) }));
let known: z.infer<typeof bodySchema> | null = null;

/** Of the route that carries the request: a model behind a gateway has the gateway's. */
function bodyLimitOf(config: Config): number | undefined {
  const address = addressOf(config);
  if (address === null) return undefined;
  known ??= bodySchema.parse(bodies);
  const { hostname } = new URL(address);
  return known.find(({ hosts }) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)))?.bodyLimit;
}

/** Of a body that was refused without a number: somewhat less, so that the next one is not refused for a few bytes. */
const shareOfRefused = 0.9;

/** What a refusal teaches of its model; null when it names nothing. A request that was never sent was refused by nobody. */
export function lessonOf({ code, detail = {} }: Failure): Lesson | null {
  if (detail.unsent) return null;
  if (code === 'visionRefused') return { noImages: true };
  if (code === 'imageRefused') return detail.limit === undefined ? null : { maxImages: detail.limit };
  if (code === 'overflowTokens' && detail.contextWindow !== undefined) return { window: detail.contextWindow };
  if (code !== 'overflowBytes') return null;
  const limit = detail.limit ?? (detail.size === undefined ? undefined : Math.floor(detail.size * shareOfRefused));
  return limit === undefined ? null : { bodyLimit: limit };
}
