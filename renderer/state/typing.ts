// What a person typed into fields, counted: what was done last is what Mod+Z takes back.

let typed = 0;

/** Fields have an undo of their own for what was typed after this. */
export const typedSoFar = (): number => typed;

/** Until what is given is called. */
export function watchTyping(): () => void {
  const note = () => {
    typed++;
  };
  document.addEventListener('input', note, true);
  return () => document.removeEventListener('input', note, true);
}
