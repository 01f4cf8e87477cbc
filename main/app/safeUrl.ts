// Which addresses may leave the program: http, https and mailto, nothing else, in every place that opens one (Z1). Pure.

/** The normalized address, or null when it must not be opened. */
export function safeExternalUrl(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (url.protocol === 'mailto:') return url.href;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return url.hostname === '' || url.username !== '' || url.password !== '' ? null : url.href;
}
