import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentId, conversationId } from '../../shared/model/ids';
import { asideName, folderName, liveName, safeName, sealedName, sealedSegments } from './fileName';

const id = fc
  .array(fc.constantFrom(...'aAbZ019_-.:@ '), { minLength: 1, maxLength: 200 })
  .map((letters) => letters.join(''))
  .filter((text) => agentId.parse(text) === text);

it('W2, X1: ids as Bough makes them are their own names', () => {
  expect(folderName(conversationId.parse('cnv_01KBA5Q3Y8M3E6N4W2Z7T9R1XC'))).toBe('cnv_01KBA5Q3Y8M3E6N4W2Z7T9R1XC');
  expect(liveName(agentId.parse('code-reviewer_2'))).toBe('code-reviewer_2.json');
  expect(sealedName(agentId.parse('helper'), 3)).toBe('helper.3.json');
  expect(liveName(agentId.parse('Ann B.'))).toBe('%41nn%20%42%2e.json');
});

it('W2, X1: always: any id gives a name that every platform takes, and no two ids the same one, whatever the case', () => {
  fc.assert(
    fc.property(id, id, (one, other) => {
      const name = safeName(one);
      expect(name).toMatch(/^[a-z0-9_%~-]{1,140}$/);
      if (one !== other) expect(name.toLowerCase()).not.toBe(safeName(other).toLowerCase());
      const folder = folderName(conversationId.parse(one.replaceAll(/[@ ]/g, '-')));
      expect(folder).toMatch(/^[\w%~-]+$/);
    }),
  );
});

it('W2: names that Windows keeps for devices, and ids that look like those of Bough in small letters, are coded', () => {
  for (const name of ['con', 'nul', 'aux', 'prn', 'com1', 'lpt9'])
    expect(safeName(name)).toBe(`%${name.charCodeAt(0).toString(16)}${name.slice(1)}`);
  const small = 'cnv_01kba5q3y8m3e6n4w2z7t9r1xc';
  expect(folderName(conversationId.parse(small)).toLowerCase()).not.toBe(small);
});

it('X5: a sealed file is told from those of other agents and from files kept aside', () => {
  const names = [
    sealedName(agentId.parse('a'), 10),
    sealedName(agentId.parse('a'), 2),
    liveName(agentId.parse('a')),
    sealedName(agentId.parse('a.1'), 7),
  ];
  expect(sealedSegments(agentId.parse('a'), [...names, asideName(agentId.parse('a'), 4)])).toEqual([2, 10]);
});
