// What tests of this folder share: how texts arrive in pieces, and what must never be in a document.

/** Cuts a text at the given places (fractions of its length), as a stream might. */
export function prefixes(text: string, cuts: readonly number[]): string[] {
  const ends = [...new Set(cuts.map((cut) => Math.floor(cut * text.length)))].sort((a, b) => a - b);
  return [...ends.map((end) => text.slice(0, end)), text];
}

const forbiddenTags = new Set(
  'script style iframe object embed form button select textarea link meta base video audio source foreignobject image use template noscript'.split(
    ' ',
  ),
);
const forbiddenAttributes = new Set('id name srcset background target ping action formaction srcdoc'.split(' '));

function isForbidden(element: Element): boolean {
  const tag = element.tagName.toLowerCase();
  if (tag === 'input') return element.getAttribute('type') !== 'checkbox' || !element.hasAttribute('disabled');
  return forbiddenTags.has(tag);
}

function isHarmful(element: Element, { name, value }: Attr): boolean {
  if (/^on/i.test(name) || forbiddenAttributes.has(name)) return true;
  if (name === 'href') return !/^(?:https?:\/\/|mailto:|#fn-)/.test(value);
  if (name === 'src') return !/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(value);
  return name === 'style' && (/url\s*\(/i.test(value) || element.closest('.katex') === null);
}

/** Everything in `root` that could run, load, lead astray or pose as the window; empty for a safe document. */
export function findHarm(root: ParentNode): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (isForbidden(element)) found.push(element.outerHTML.slice(0, 120));
    for (const attribute of element.attributes) {
      if (isHarmful(element, attribute)) found.push(`${attribute.name}=${attribute.value.slice(0, 80)}`);
    }
  }
  return found;
}
