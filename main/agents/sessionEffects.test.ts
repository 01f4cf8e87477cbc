import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepPart, StepResult } from '../../shared/model/transcript';
import { sessionEffects } from './sessionEffects';

const call = (callId: string, name: string, input: unknown): StepPart => ({
  type: 'toolCall',
  callId,
  name,
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
});
const ok = (callId: string): StepResult => ({ callId, summary: 'Done' });
const failed = (callId: string): StepResult => ({ ...ok(callId), isError: true });

describe('sessionEffects', () => {
  it('C1, C2, C3: checkpoints in order and the rewind, as their tools understood them', () => {
    const content: StepPart[] = [
      { type: 'text', text: 'Let me see' },
      call('1', 'checkpoint', { label: ' one ' }),
      { type: 'vendor', vendor: { family: 'openai', json: '{}' } },
      call('2', 'rewind', { label: 'start', digest: ' found \n' }),
      call('3', 'checkpoint', JSON.stringify(JSON.stringify({ label: 'two' }))),
      call('4', 'read_file', { path: 'a', label: 'no' }),
    ];
    expect(sessionEffects({ content, results: ['1', '2', '3', '4'].map(ok) })).toEqual({
      checkpoints: ['one', 'two'],
      rewind: { label: 'start', digest: 'found' },
    });
  });

  it('C2, C3: only calls whose result is no error count', () => {
    const content = [
      call('1', 'checkpoint', { label: 'refused' }),
      call('2', 'checkpoint', { label: 'never ran' }),
      call('3', 'rewind', { label: 'refused', digest: 'x' }),
      call('4', 'rewind', { label: 'good', digest: 'y' }),
    ];
    expect(sessionEffects({ content, results: [failed('1'), failed('3'), ok('4')] })).toEqual({
      checkpoints: [],
      rewind: { label: 'good', digest: 'y' },
    });
  });

  it('C2: a step that broke off is no clean boundary', () => {
    const step = { content: [call('1', 'checkpoint', { label: 'a' })], results: [ok('1')] };
    expect(sessionEffects({ ...step, interrupted: true })).toEqual({ checkpoints: [] });
    expect(sessionEffects(step)).toEqual({ checkpoints: ['a'] });
  });

  it('C2, C3: of what came twice the first counts', () => {
    const content = [
      call('1', 'checkpoint', { label: 'a' }),
      call('2', 'checkpoint', { label: 'a' }),
      call('3', 'rewind', { label: 'x', digest: '1' }),
      call('4', 'rewind', { label: 'y', digest: '2' }),
    ];
    expect(sessionEffects({ content, results: ['1', '2', '3', '4'].map(ok) })).toEqual({
      checkpoints: ['a'],
      rewind: { label: 'x', digest: '1' },
    });
  });

  it('C5, R3: broken arguments have no effect, whatever they are', () => {
    const broken = [
      '',
      '{',
      '[]',
      'null',
      '5',
      '"x"',
      '"{"',
      '{"label":""}',
      '{"label":"a\\nb"}',
      '{"label":null,"digest":"x"}',
      '{"label":"a","digest":""}',
    ];
    for (const text of broken) {
      const content = [call('1', 'rewind', text), ...(text.includes('"a"') ? [] : [call('2', 'checkpoint', text)])];
      expect(sessionEffects({ content, results: [ok('1'), ok('2')] }), text).toEqual({ checkpoints: [] });
    }
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const content = [call('1', 'rewind', text), call('2', 'checkpoint', text)];
        const effects = sessionEffects({ content, results: [ok('1'), ok('2')] });
        for (const label of effects.checkpoints) expect(label).toMatch(/^\S([^\n\r]{0,78}\S)?$/);
      }),
    );
  });
});
