// P7: the ways servers say that they cannot use a picture: broken, of a wrong kind, too large, too many, or no eyes at all. As data.
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
  /image input modality|(?:image|vision|multimodal|multi-modal)[^.\n]{0,30}\b(?:not|n['’]t|un)\s?(?:supported|enabled|available|allowed)/i,
  // Models and servers without eyes
  /(?:not|n['’]t|no endpoints found that) (?:currently )?(?:support|accept|allow|have|see|process|read|handle)s?[^.\n]{0,30}\b(?:images?|vision|multimodal|multi-modal)\b/i,
  /missing data required for image input|mmproj|is not a (?:multimodal|vision)/i,
  /content['"`]?(?: :)?(?: value)? must be a string/i,
  // Counts
  /at most \d+ images?(?:\(s\))?|too many images|(?:maximum|max|limit)[^.\n]{0,30}\bimages?\b|number of images|many-image requests/i,
  /images? must be|provide a valid image/i,
];

/** `flat`: everything the server said. A 429 must have been excluded before. */
export function isImageRefusal(flat: string, { code, message }: ErrorBody): boolean {
  if (codes.has(code)) return true;
  // A server may repeat the request, or name its tools: only its own sentence counts.
  return texts.some((pattern) => pattern.test(message || flat.slice(0, 1000)));
}
