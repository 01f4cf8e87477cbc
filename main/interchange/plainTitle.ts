// A title from elsewhere as plain text: one line, no control characters, nothing that turns the direction of what stands beside it (I5).

const longest = 200;
const controls = /[\p{Cc}\u200b\u2028\u2029\ufeff]+/gu;
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function plainTitle(title: string): string {
  // Cut before anything else: a title may be as long as the file.
  const line = title.slice(0, 10_000).replace(turning, '').replace(controls, ' ').replace(/ {2,}/g, ' ').trim();
  const characters = [...line];
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}
