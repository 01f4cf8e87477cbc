// Which passing notices take the place of earlier ones.
import { beforeEach, expect, it } from 'vitest';
import { appState, dismissNotice, showNotice } from './appSlice';

beforeEach(() => {
  for (const { key } of appState().notices) dismissNotice(key);
});

const thrash = (agent: string, tokens: number) =>
  showNotice({ code: 'contextThrash', values: { agent, part: 'tail', tokens }, tone: 'warning' });
const shown = () => appState().notices.map(({ values }) => `${values?.['agent']} ${values?.['tokens']}`);

it('L13: what is too big is said once for an agent, with the newest number', () => {
  thrash('Helper', 1470);
  thrash('Second', 900);
  thrash('Helper', 1480);
  expect(shown()).toEqual(['Second 900', 'Helper 1480']);
  showNotice({ code: 'contextThrashBytes', values: { agent: 'Helper', part: 'tail', bytes: 9 }, tone: 'warning' });
  expect(shown()).toEqual(['Second 900', 'Helper undefined']);
});

it('U6: the same words again are said once; other words stand beside them', () => {
  for (const count of [1, 1, 2]) showNotice({ code: 'imagesLeftOut', values: { count }, tone: 'warning' });
  expect(appState().notices.map(({ values }) => values?.['count'])).toEqual([1, 2]);
});
