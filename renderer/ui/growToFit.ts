// Makes a text box as tall as its text, up to a share of the window; Chromium 114 has no `field-sizing`.

/** Beyond this many characters the text is taller than any share: measuring it would lay out all of it for nothing. */
const surelyTall = 20_000;

export function growToFit(box: HTMLTextAreaElement, share: number): void {
  const most = Math.round(window.innerHeight * share);
  if (box.textLength > surelyTall) {
    box.style.height = `${most}px`;
    box.style.overflowY = 'auto';
    return;
  }
  box.style.height = 'auto';
  const wanted = box.scrollHeight + box.offsetHeight - box.clientHeight;
  box.style.height = `${Math.min(wanted, most)}px`;
  box.style.overflowY = wanted > most ? 'auto' : 'hidden';
}
