// What commands tell an area that is to take the focus; who listens is on the page by then.

/** Told to the composer, which takes the focus. */
export const focusComposerEvent = 'bough:focus-composer';
/** Told to the sidebar's search. */
export const focusSearchEvent = 'bough:focus-search';
/** Told to the find bar when its keys are pressed again. */
export const focusFindEvent = 'bough:focus-find';

type FocusEventName = typeof focusComposerEvent | typeof focusSearchEvent | typeof focusFindEvent;
const tell = (name: FocusEventName, late: boolean) => window.dispatchEvent(new CustomEvent(name, { detail: { late } }));

export function tellWindow(name: FocusEventName): void {
  tell(name, false);
}

/** Once the area that listens is on the page. */
export function tellWindowSoon(name: FocusEventName): void {
  requestAnimationFrame(() => tell(name, true));
}

/**
 * Gives a field the focus and selects what it holds, for the next key to replace; what was typed since it has the focus is not selected
 * by a command that is told late.
 */
export function focusToReplace(field: HTMLInputElement | null, event?: Event): void {
  const late = event instanceof CustomEvent && (event.detail as { late: boolean }).late;
  if (late && document.activeElement === field) return;
  field?.focus();
  field?.select();
}

export const focusIsNowhere = () => document.activeElement === null || document.activeElement === document.body;
/** Focus that went with what was taken away belongs in the message box. */
export function catchFocus(): void {
  requestAnimationFrame(() => {
    if (focusIsNowhere() && !document.querySelector('[data-modal]')) tellWindow(focusComposerEvent);
  });
}
