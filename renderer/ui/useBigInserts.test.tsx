// @vitest-environment happy-dom
// Long texts that come at once into a text box.
import { cleanup, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it } from 'vitest';
import { bigInsert, useBigInserts } from './useBigInserts';

afterEach(cleanup);

let inputs = 0;
function Box({ instead }: { instead?: (text: string) => boolean }) {
  const box = useRef<HTMLTextAreaElement>(null);
  useBigInserts(box, instead);
  return <textarea ref={box} defaultValue="before after" onInput={() => (inputs += 1)} />;
}
const element = () => screen.getByRole<HTMLTextAreaElement>('textbox');
/** As the browser asks before it inserts; true when it is left to do so. */
const insert = (data: string | null, inputType = 'insertText', more: InputEventInit = {}) =>
  element().dispatchEvent(new InputEvent('beforeinput', { data, inputType, bubbles: true, cancelable: true, ...more }));
const long = 'a line\n'.repeat(bigInsert);

it.each(['insertText', 'insertFromPaste'])('U4, N18: a long %s is put in at the caret as a value, and the box says so', (inputType) => {
  render(<Box />);
  element().setSelectionRange(7, 12);
  inputs = 0;
  expect(insert(long, inputType)).toBe(false);
  expect(element().value).toBe(`before ${long}`);
  expect(element().selectionStart).toBe(element().value.length);
  expect(inputs).toBe(1);
});

it('U4: what is typed, composed or deleted is left to the browser', () => {
  render(<Box />);
  expect(insert('a')).toBe(true);
  expect(insert(null, 'deleteContentBackward')).toBe(true);
  expect(insert(long, 'insertCompositionText')).toBe(true);
  expect(insert(long, 'insertText', { isComposing: true })).toBe(true);
  expect(element().value).toBe('before after');
});

it('U4: a text may go elsewhere instead', () => {
  const taken: string[] = [];
  render(<Box instead={(text) => taken.push(text) > 0} />);
  expect(insert(long)).toBe(false);
  expect(taken).toEqual([long]);
  expect(element().value).toBe('before after');
});
