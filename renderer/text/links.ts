// The one rule for which addresses a text may lead to; the sanitizer, the click handler and tests all ask here.

const allowed = new Set(['http:', 'https:', 'mailto:']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what hides a scheme from a naive check
const hidden = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * The address in its normal form when it is an absolute http, https or mailto address, else null.
 * Relative addresses are refused too: a chat has no page they could belong to.
 */
export function safeUrl(address: string): string | null {
  const text = address.replace(hidden, (char) => (char === ' ' ? '%20' : ''));
  if (!/^(?:https?:\/\/|mailto:)/i.test(text)) return null;
  try {
    const url = new URL(text);
    return allowed.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

const pictures = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]+$/i;

/** True for a picture that travels inside the text itself; nothing else may be loaded by an <img>. */
export function isInlinePicture(address: string): boolean {
  return pictures.test(address);
}

const footnote = /^#fn-[\p{L}\p{N}_-]{1,64}$/u;

/** True for a jump to a footnote of the same message. */
export function isFootnoteJump(address: string): boolean {
  return footnote.test(address);
}
