// The prompts that a first talk offers are orders for the demo (U8, P1).
import { expect, it } from 'vitest';
import talk from '../../../assets/locales/en/talk.json';
import { readOrder } from './orders';

it.each(['everything', 'think', 'stop', 'fail'] as const)('U8, P1: the demo follows its starter %s', (name) => {
  expect(readOrder(talk.starters[name].prompt).isOrder).toBe(true);
});
