import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerId } from '../../shared/model/ids';
import { draftOfPreset, draftOfProvider, idFor, inputOf, needsStorageChoice, type ProviderDraft, problemsOf } from './providerDraft';
import { demoPreset, presetOf, providerPresets } from './providerPresets';

const draft = (change: Partial<ProviderDraft> = {}) => ({ ...draftOfPreset(presetOf('openai')), ...change });

describe('a provider being set up', () => {
  it('W3: with a keychain a typed key goes there, unasked', () => {
    expect(inputOf(draft({ key: ' sk-1 ' }), [], true).key).toEqual({ action: 'set', value: 'sk-1', storage: 'keychain' });
    expect(needsStorageChoice(draft({ key: 'sk-1' }), true)).toBe(false);
  });

  it('W3: without one it can’t be saved before the person chose how', () => {
    const undecided = draft({ key: 'sk-1' });
    expect(problemsOf(undecided, false)).toContainEqual({ field: 'storage', code: 'choose' });
    const decided = draft({ key: 'sk-1', storage: 'plain' });
    expect(problemsOf(decided, false)).toEqual([]);
    expect(inputOf(decided, [], false).key).toEqual({ action: 'set', value: 'sk-1', storage: 'plain' });
  });

  it('W3: a variable’s name is no secret and asks nothing', () => {
    const named = draft({ key: '${OPENAI_API_KEY}' });
    expect(needsStorageChoice(named, false)).toBe(false);
    expect(inputOf(named, [], false).key).toEqual({ action: 'set', value: '${OPENAI_API_KEY}', storage: 'plain' });
  });

  it('W3: an untouched key field keeps what is stored; forgetting clears it', () => {
    expect(inputOf(draft(), [], null).key).toEqual({ action: 'keep' });
    expect(inputOf(draft({ clearKey: true }), [], null).key).toEqual({ action: 'clear' });
  });

  it('P1: takes addresses as people paste them and names what is none', () => {
    for (const baseUrl of ['', 'https://host/v1', 'localhost:8080/v1', '127.0.0.1:11434'])
      expect(problemsOf(draft({ baseUrl }), null)).toEqual([]);
    for (const baseUrl of ['ftp://host', 'not a url', 'https://'])
      expect(problemsOf(draft({ baseUrl }), null)).toEqual([{ field: 'baseUrl', code: 'notUrl' }]);
    expect(problemsOf(draft({ name: ' ' }), null)).toEqual([{ field: 'name', code: 'missing' }]);
  });

  it('P1: editing keeps headers, models and the id; an address is left out for the demo', () => {
    const known = {
      id: providerId.parse('gw'),
      name: 'Gateway',
      kind: 'openai-chat' as const,
      baseUrl: 'https://gw/v1',
      headers: { 'x-team': 'a' },
      models: [{ id: 'm' }],
      keySource: 'keychain' as const,
    };
    const { provider } = inputOf(draftOfProvider(known), ['gw'], true);
    expect(provider).toEqual({
      id: 'gw',
      name: 'Gateway',
      kind: 'openai-chat',
      baseUrl: 'https://gw/v1',
      headers: { 'x-team': 'a' },
      models: [{ id: 'm' }],
    });
    expect(inputOf(draftOfPreset(demoPreset), [], true).provider).toEqual({ id: 'demo', name: 'Demo', kind: 'demo', models: [] });
  });

  it('P1: every preset is complete', () => {
    for (const preset of providerPresets) expect(problemsOf(draftOfPreset(preset), null), preset.id).toEqual([]);
  });

  it('P1: always finds an id that is valid and free', () => {
    void fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.constantFrom('provider', 'openai', 'a')), (name, taken) => {
        const id = idFor(name, taken, 'provider');
        expect(providerId.parse(id)).toBe(id);
        expect(taken).not.toContain(id);
      }),
    );
  });
});
