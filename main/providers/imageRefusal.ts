// P7: the ways servers say that they cannot use a picture: broken, of a wrong kind, too large, too many. As data. Those that take none at all are
// told apart first (visionRefusal.ts).
// Text about dimensions and counts of pictures must never be taken for a full context window (compaction research 1.8, 1.10).
import type { ErrorBody } from './errorBody';

/** OpenAI's codes for its Responses API; its chat API and gateways use some of them. */
const codes: ReadonlySet<string> = new Set([
  'invalid_image',
  'invalid_image_format',
  'invalid_base64_image',
  'invalid_image_url',
  'image_too_large',
  'image_too_small',
  'image_parse_error',
  'image_content_policy_violation',
  'invalid_image_mode',
  'image_file_too_large',
  'unsupported_image_media_type',
  'empty_image_file',
  'failed_to_download_image',
  'image_file_not_found',
  'unsupported_image',
]);

const texts: readonly RegExp[] = [
  // Anthropic
  /could not process (?:the )?image|image (?:was|is) specified using|image does not match the provided media type/i,
  /image dimensions? (?:exceeds?|is too)|images? (?:exceeds?|is larger than)|dimensions of [^.]{0,40}image/i,
  /image\.source|\bmedia_type\b[^.]{0,80}image\//i,
  // OpenAI and what imitates it
  /unsupported image|invalid image|not (?:represent )?a valid image|invalid base64 image|image_url/i,
  /(?:failed|unable|cannot|could not|error)[^.\n]{0,40}(?:download|load|decode|open|read|process|parse|identify|fetch|view|handle)[^.\n]{0,30}\bimages?\b/i,
  /\bimages? (?:data |file |format |url |type )?(?:is|are|was|were|could|can)[^.\n]{0,20}(?:not|n['’]t|in?valid|unsupported|corrupt|empty|too (?:large|small|big|many))/i,
  // Gemini
  /unable to process input image|provided image is not valid|unsupported mime type: ?image\//i,
  /(?:image|vision|multimodal|multi-modal)[^.\n]{0,30}\b(?:not|n['’]t|un)\s?(?:supported|enabled|available|allowed)/i,
  // Said of some pictures: of a kind, a size, a place
  /(?:not|n['’]t) (?:currently )?(?:support|accept|allow|have|see|process|read|handle)s?[^.\n]{0,30}\b(?:images?|vision|multimodal|multi-modal)\b/i,
  // Counts
  /at most \d+ images?(?:\(s\))?|too many images|\bimage=\d+ [^.\n]*limit-mm-per-prompt|(?:maximum|max|limit)[^.\n]{0,30}\bimages?\b|number of images|many-image requests/i,
  /images? must be|provide a valid image/i,
];

/** `flat`: everything the server said. A 429 must have been excluded before. */
export function isImageRefusal(flat: string, { code, message }: ErrorBody): boolean {
  if (codes.has(code)) return true;
  // A server may repeat the request, or name its tools: only its own sentence counts.
  return texts.some((pattern) => pattern.test(message || flat.slice(0, 1000)));
}

/** Where the number of pictures that a request may hold stands. */
const countTexts: readonly RegExp[] = [
  /(?:at most|up to|no more than|only|limit(?:ed)?(?: of| to| is)?|max(?:imum)?(?: of| is)?) (\d+) images?\b/i,
  /\bimage=(\d+) [^.\n]*limit-mm-per-prompt/i,
  /too many images[^\n]{0,80}?(?:>|\bmax(?:imum)?(?: is| of|:)?|\blimit(?: is| of|:)?) ?(\d+)\b/i,
];

/** How many pictures a request may hold, where a refusal names it. */
export function readImageCount(text: string): number | undefined {
  for (const pattern of countTexts) {
    const value = Number(pattern.exec(text)?.[1]);
    if (Number.isSafeInteger(value) && value > 0) return value;
  }
  return undefined;
}
