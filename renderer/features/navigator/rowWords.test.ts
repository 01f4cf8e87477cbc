import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import type { OutlineTurn } from '../../../shared/model/outline';
import { turnText, type Words } from './rowWords';

const words: Words = {
  t: ((key: string) => key) as unknown as TFunction<'navigator'>,
  language: 'en',
  agentName: () => 'Moss',
};
const turn = (role: OutlineTurn['role'], text: string) => ({ id: 'msg_1' as MessageId, role, text }) as OutlineTurn;

it('U5: a row says its words without the marks of Markdown', () => {
  expect(turnText(turn('user', '## Why do the **reeds** bend in `wind`?'), words)).toBe('Why do the reeds bend in wind?');
  expect(turnText(turn('assistant', '| Tree | Height | | --- | ---: | | Oak | 30 m |'), words)).toBe('Moss: Tree · Height · Oak · 30 m');
  expect(turnText(turn('digest', '- *nothing* found'), words)).toBe('digest: nothing found');
  expect(turnText(turn('user', '```'), words)).toBe('noWords');
});
