// What commands tell an area that is to take the focus; who listens is on the page by then.

/** Told to the composer, which takes the focus. */
export const focusComposerEvent = 'bough:focus-composer';
/** Told to the sidebar's search. */
export const focusSearchEvent = 'bough:focus-search';
/** Told to the find bar when its keys are pressed again. */
export const focusFindEvent = 'bough:focus-find';

type FocusEventName = typeof focusComposerEvent | typeof focusSearchEvent | typeof focusFindEvent;
export function tellWindow(name: FocusEventName): void {
  window.dispatchEvent(new CustomEvent(name));
}

/** Once the area that listens is on the page. */
export function tellWindowSoon(name: FocusEventName): void {
  requestAnimationFrame(() => tellWindow(name));
}

export const focusIsNowhere = () => document.activeElement === null || document.activeElement === document.body;
/** Focus that went with what was taken away belongs in the message box. */
export function catchFocus(): void {
  requestAnimationFrame(() => {
    if (focusIsNowhere() && !document.querySelector('[data-modal]')) tellWindow(focusComposerEvent);
  });
}
