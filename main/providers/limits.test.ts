import { describe, expect, it } from 'vitest';
import { type FailureDetail, makeFailure } from '../../shared/model/failure';
import type { ProviderId } from '../../shared/model/ids';
import type { LearnedNumber, ModelInfo, OfferedModel, ProviderConfig } from '../../shared/model/provider';
import { lessonOf, withLimits } from './limits';

const remote = 'https://gateway.example/v1';
const here = 'http://127.0.0.1:1234/v1';
const config = (baseUrl: string | undefined, own: ModelInfo[] = []): ProviderConfig => ({
  id: 'p' as ProviderId,
  name: 'P',
  kind: 'openai-chat',
  baseUrl,
  models: own,
});
const model = (facts: Partial<ModelInfo>): OfferedModel => ({
  id: 'm',
  ref: 'p/m',
  providerId: 'p' as ProviderId,
  providerName: 'P',
  demo: false,
  ...facts,
});
const learned = (value: number, listed?: number): LearnedNumber => ({ value, at: 100, listed });

describe('the window in force (L7)', () => {
  const table: [
    what: string,
    address: string,
    facts: { own?: number; known?: number; learned?: LearnedNumber; list?: [number, number] },
    number | undefined,
  ][] = [
    ['nothing is known', remote, {}, undefined],
    ['the catalogue’s', remote, { known: 128_000 }, 128_000],
    ['learned, where nothing else is known', remote, { learned: learned(4096) }, 4096],
    ['learned, smaller than the catalogue', remote, { known: 128_000, learned: learned(32_768) }, 32_768],
    ['learned, larger than the catalogue', remote, { known: 8192, learned: learned(32_768) }, 8192],
    ['the user’s, above a learned one', remote, { own: 200_000, known: 128_000, learned: learned(4096) }, 200_000],
    ['the user’s, below a learned one', remote, { own: 2000, known: 128_000, learned: learned(4096) }, 2000],
    ['a list that says what it said then', remote, { known: 131_072, learned: learned(65_536, 131_072), list: [131_072, 200] }, 65_536],
    ['a list that has changed since', remote, { known: 262_144, learned: learned(65_536, 131_072), list: [262_144, 200] }, 262_144],
    ['a list elsewhere, asked for the first time', remote, { known: 131_072, learned: learned(65_536), list: [131_072, 200] }, 65_536],
    ['a list here, asked later', here, { known: 32_768, learned: learned(4096), list: [32_768, 200] }, 32_768],
    ['a list here, asked before', here, { known: 32_768, learned: learned(4096), list: [32_768, 50] }, 4096],
    ['a list here that says what it said then', here, { known: 32_768, learned: learned(4096, 32_768), list: [32_768, 200] }, 4096],
    ['a list here with a smaller window', here, { known: 2048, learned: learned(4096, 8192), list: [2048, 200] }, 2048],
  ];
  it.each(table)('L7: %s', (_what, address, { own, known, learned: window, list }, expected) => {
    const provider = config(address, own === undefined ? [] : [{ id: 'm', contextWindow: own }]);
    const merged = model({ contextWindow: own ?? known });
    const listed = list && { window: list[0], at: list[1] };
    expect(withLimits(merged, provider, window ? { window } : {}, listed).contextWindow).toBe(expected);
  });

  it('L7: a learned number that no longer holds is not shown', () => {
    const { learned: shown } = withLimits(model({}), config(here), { window: learned(4096) }, { window: 32_768, at: 200 });
    expect(shown).toBeUndefined();
  });
});

describe('the body in force (L14)', () => {
  it.each([
    ['an own server', here, undefined],
    ['OpenAI without an address', undefined, 50_000_000],
    ['OpenAI', 'https://api.openai.com/v1', 50_000_000],
    ['Anthropic', 'https://api.anthropic.com/v1', 32_000_000],
    ['a name that only ends like it', 'https://notopenai.com/v1', undefined],
    ['an address that is none', 'http://', undefined],
  ])('L14: %s', (_what, address, expected) => {
    expect(withLimits(model({}), config(address), {}, undefined).bodyLimit).toBe(expected);
  });

  it('L14: the smallest counts, the user’s number wins', () => {
    const small = { bodyLimit: learned(6_000_000) };
    expect(withLimits(model({}), config('https://api.openai.com/v1'), small, undefined).bodyLimit).toBe(6_000_000);
    const own = config('https://api.openai.com/v1', [{ id: 'm', bodyLimit: 9_000_000 }]);
    expect(withLimits(model({ bodyLimit: 9_000_000 }), own, small, undefined).bodyLimit).toBe(9_000_000);
  });
});

describe('whether it sees (S10)', () => {
  const at100 = (listed?: boolean) => ({ at: 100, ...(listed === undefined ? {} : { listed }) });
  const table: [
    what: string,
    address: string,
    facts: { own?: boolean; known?: boolean; listed?: boolean; said?: boolean; at?: number },
    boolean,
  ][] = [
    ['learned, against the catalogue', remote, { known: true }, false],
    ['learned, where nothing is known', remote, {}, false],
    ['the user’s word, that it sees', remote, { own: true, known: false }, true],
    ['the user’s word, that it does not', remote, { own: false, known: true }, false],
    ['a list that says what it said then', remote, { known: true, said: true, listed: true }, false],
    ['a list that has changed since', remote, { known: true, said: false, listed: true }, true],
    ['a list elsewhere, asked for the first time', remote, { known: true, listed: true }, false],
    ['a list here, asked later', here, { known: true, listed: true }, true],
    ['a list here, asked before', here, { known: true, listed: true, at: 50 }, false],
    ['a list here that says so too', here, { known: false, listed: false }, false],
  ];
  it.each(table)('S10: %s', (_what, address, { own, known, listed, said, at = 200 }, expected) => {
    const provider = config(address, own === undefined ? [] : [{ id: 'm', vision: own }]);
    const merged = model({ vision: own ?? known });
    const offered = withLimits(merged, provider, { noImages: at100(said) }, listed === undefined ? undefined : { vision: listed, at });
    expect(offered.vision).toBe(expected);
  });

  it('S10: what no longer holds is not shown; what the user overrules is', () => {
    const now = { vision: true, at: 200 };
    expect(withLimits(model({}), config(here), { noImages: at100() }, now).learned).toBeUndefined();
    const own = config(remote, [{ id: 'm', vision: true }]);
    expect(withLimits(model({ vision: true }), own, { noImages: at100() }, undefined).learned).toEqual({ noImages: { at: 100 } });
  });

  it('P7: of counts of images the smallest, unless the user names one', () => {
    const few = { maxImages: learned(4) };
    expect(withLimits(model({}), config(remote), few, undefined)).toMatchObject({ maxImages: 4, learned: few });
    expect(withLimits(model({ maxImages: 2 }), config(remote), few, undefined).maxImages).toBe(2);
    const own = config(remote, [{ id: 'm', maxImages: 9 }]);
    expect(withLimits(model({ maxImages: 9 }), own, few, undefined).maxImages).toBe(9);
    expect(withLimits(model({}), config(remote), {}, undefined)).not.toHaveProperty('maxImages');
  });
});

describe('what a refusal teaches', () => {
  const of = (code: 'overflowTokens' | 'overflowBytes' | 'badRequest' | 'imageRefused' | 'visionRefused', detail?: FailureDetail) =>
    lessonOf(makeFailure(code, 'Refused.', detail ? { detail } : {}));
  it('L7, L14: the window it names, the body it names, else nine tenths of the body it refused', () => {
    expect(of('overflowTokens', { contextWindow: 4096, size: 5000 })).toEqual({ window: 4096 });
    expect(of('overflowBytes', { limit: 6_000_000, size: 9_000_000 })).toEqual({ bodyLimit: 6_000_000 });
    expect(of('overflowBytes', { size: 9_000_000 })).toEqual({ bodyLimit: 8_100_000 });
  });

  it('S10, P7: that no images are taken, and how many', () => {
    expect(of('visionRefused')).toEqual({ noImages: true });
    expect(of('imageRefused', { limit: 4 })).toEqual({ maxImages: 4 });
    expect(of('imageRefused', { size: 4 })).toBeNull();
  });

  it('L7: nothing where nothing is named, from other failures, and from requests that were never sent', () => {
    expect(of('overflowTokens', { limit: 4096 })).toBeNull();
    expect(of('overflowBytes')).toBeNull();
    expect(of('badRequest', { contextWindow: 4096 })).toBeNull();
    expect(of('overflowTokens', { contextWindow: 4096, unsent: true })).toBeNull();
    expect(of('overflowBytes', { limit: 5, size: 9, unsent: true })).toBeNull();
  });
});
