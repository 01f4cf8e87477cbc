// The ways servers say that a model takes no images at all, whichever they are (S10, P7). As data; what is wrong with one picture is in
// imageRefusal.ts. The caller asks it of requests that carried images only.

const input = '(?:inputs?|contents?|modality|understanding|parts?|blocks?|fields?)';
/** What follows tells that only such a picture, or a picture there, is refused. */
const elsewhere =
  '(?!(?: (?:inputs?|contents?))?[ _-]*(?:formats?|types?|mime|files?|urls?|links?|details?|generation|editing|outputs?|sizes?|larger|bigger|above|over|beyond|with|of|like|from|(?:with)?in (?:the )?(?:system|developer|assistant|tool|function|this)|(?:image/|\\.)?(?:png|jpe?g|gif|webp|svg|bmp|tiff|heic|avif))\\b)';

const texts: readonly RegExp[] = [
  // OpenAI, Azure, and what imitates them
  /\bimages?(?:_url)?(?: inputs?| contents?)? (?:is|are) only supported (?:by|for|on|with)/i,
  // "This model does not support image inputs", "doesn't support the image content block", "Model does not support images"
  new RegExp(
    `(?:not|n['’]t) (?:currently )?(?:support|accept|allow|have|take)s?(?: the)?(?: use of)? (?:images?|vision|multi-?modal)\\b${elsewhere}`,
    'i',
  ),
  // "Image input is not supported", "Image input modality is not enabled for models/…", "Images are not supported"
  new RegExp(
    `\\b(?:image(?:_url)?s? ${input}(?: ${input})?|images|vision|multi-?modal(?: ${input})?) (?:is|are)(?: not|n['’]t) (?:currently |yet )?(?:supported|enabled|available|allowed|accepted)${elsewhere}`,
    'i',
  ),
  /\bmodel (?:cannot|can['’]t|can not|is unable to) (?:see|read|view|process|accept|handle|take) images\b/i,
  // OpenRouter and routers like it
  /no endpoints? found that supports? image/i,
  // Ollama, llama.cpp, vLLM
  /missing data required for image input|\bmmproj\b|not compiled for multi-?modal/i,
  /is not a (?:multi-?modal|vision)\b/i,
  /at most 0 images?\b/i,
  // Servers whose messages hold text and nothing else: DeepSeek, Groq, those that check by schema
  /unknown variant [`'"]?(?:image_url|input_image|image)\b/i,
  /(?:unsupported|invalid|unknown|unrecognized) (?:(?:message|content|part) )*(?:type|variant|part|value|block)s?\W{1,4}(?:image_url|input_image|image)\b(?![.\]])/i,
  /content ?(?:part |block )?type\W{1,3}(?:image_url|input_image|image)\W{1,3}(?:is )?not supported/i,
  /content['"`]?(?: :)?(?: value)? must be a string/i,
  /input should be ['"`]text['"`](?!,| or)/i,
  /\btext-only model\b|\bmodel\b[^.\n]{0,60}(?:only (?:supports?|accepts?)|(?:supports?|accepts?) only) text\b/i,
];

/** `text`: the server's own sentence. A 429 and a full window must have been excluded before. */
export function isVisionRefusal(text: string, code: string): boolean {
  // A gateway's code for any part it does not know.
  if (code === 'unsupported_content_type' && /\bimages?(?:_url)?\b|input_image/i.test(text)) return true;
  return texts.some((pattern) => pattern.test(text));
}
