// Bytes that messages take as JSON, without making it: a first request after a start weighs all of its texts at once (N9). Pure.
import type { RequestMessage, RequestPart } from '../../shared/model/request';

/** Exactly those of `JSON.stringify` in UTF-8. */
export function jsonBytes(messages: readonly RequestMessage[]): number {
  let bytes = 0;
  const bare = messages.map(({ parts, ...message }) => ({ ...message, parts: parts.map(bareOf) }));
  for (const { parts } of messages) for (const part of parts) bytes += textBytes(textIn(part));
  return Buffer.byteLength(JSON.stringify(bare)) + bytes;
}

/** The text that nearly all of a part's bytes are. */
function textIn(part: RequestPart): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text;
  return part.type === 'toolResult' ? part.content : '';
}

function bareOf(part: RequestPart): RequestPart {
  if (part.type === 'text' || part.type === 'reasoning') return { ...part, text: '' };
  return part.type === 'toolResult' ? { ...part, content: '' } : part;
}

/** Bytes that JSON takes beyond the character itself: a backslash before it, or a number in its place. */
const escapes = new Uint8Array(0x80).fill(5, 0, 0x20);
for (const sign of '"\\\b\t\n\f\r') escapes[sign.charCodeAt(0)] = 1;

/** Of a text between its quotes. */
export function textBytes(text: string): number {
  let more = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) more += escapes[code] ?? 0;
    else if (code >= 0xd800 && code <= 0xdfff) {
      // Half of a pair by itself is a number of six, and counted as three.
      const isPair = code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
      if (isPair) at++;
      else more += 3;
    }
  }
  return Buffer.byteLength(text) + more;
}
