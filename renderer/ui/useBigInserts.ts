// Puts long texts into a text box as a value. Chromium's own insertion breaks them into lines in quadratic time: seconds for tens of kilobytes,
// minutes for megabytes, in which the window stands still. They come from dictation, text expanders and scripts, and from pastes.
import { type RefObject, useEffect } from 'react';

/** Characters from which on a text is put in as a value: none that is typed or composed, so that undo stays as fine as it was. */
export const bigInsert = 2_000;

const taken: ReadonlySet<string> = new Set(['insertText', 'insertFromPaste']);

/** `instead` may take the text elsewhere; false lets it in. */
export function useBigInserts(box: RefObject<HTMLTextAreaElement | null>, instead: (text: string) => boolean = () => false): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const take = (event: InputEvent) => {
      const { data, inputType } = event;
      if (data === null || data.length < bigInsert || event.isComposing || !taken.has(inputType)) return;
      event.preventDefault();
      if (instead(data)) return;
      element.setRangeText(data, element.selectionStart, element.selectionEnd, 'end');
      element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType }));
    };
    element.addEventListener('beforeinput', take);
    return () => element.removeEventListener('beforeinput', take);
  });
}
