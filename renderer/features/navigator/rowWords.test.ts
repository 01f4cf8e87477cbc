// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import type { OutlineTurn } from '../../../shared/model/outline';
import type { OutlineRow } from '../../../shared/tree/outlineRows';
import { words as i18n, showWordsOf } from '../../i18n';
import { rowName, turnText, type Words } from './rowWords';

const wordsIn = (language: string): Words => ({ t: i18n.getFixedT(language, 'navigator'), language, agentName: () => 'Moss' });
const words = wordsIn('en');
const turn = (role: OutlineTurn['role'], text: string) => ({ id: 'msg_1' as MessageId, role, text }) as OutlineTurn;

it('U5: a row says its words without the marks of Markdown', () => {
  expect(turnText(turn('user', '## Why do the **reeds** bend in `wind`?'), words)).toBe('Why do the reeds bend in wind?');
  expect(turnText(turn('assistant', '| Tree | Height | | --- | ---: | | Oak | 30 m |'), words)).toBe('Moss: Tree · Height · Oak · 30 m');
  expect(turnText(turn('digest', '- *nothing* found'), words)).toBe('Digest: nothing found');
  expect(turnText(turn('user', '```'), words)).toBe('No words');
});

it('U5: what stands in a message is not taken for a text of the window', () => {
  expect(turnText(turn('assistant', 'a {{name}} and $t(digest) for $1'), words)).toBe('Moss: a {{name}} and $t(digest) for $1');
});

describe('in other languages', () => {
  afterEach(() => showWordsOf('en', 'en'));

  it.each([
    ['en', 'Moss: Reeds, tip, pinned'],
    ['ru', 'Moss: Reeds, конец, закреплено'],
    ['zh', 'Moss：Reeds、末端、已固定'],
    ['ja', 'Moss：Reeds、先端、ピン留め済み'],
  ])('U1: a name in %s is put together with its own marks', async (language, name) => {
    await showWordsOf(language, 'en');
    const row = { kind: 'turn', turn: { ...turn('assistant', 'Reeds'), pinned: true }, isTip: true, fold: 'leaf', turns: 0 };
    expect(rowName(row as unknown as OutlineRow, wordsIn(language))).toBe(name);
  });
});
