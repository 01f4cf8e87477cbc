// The name of a model, whatever a gateway or a cloud calls it.

/** A model's name without a gateway's or a cloud's prefix, in lower case. */
export function plainId(id: string): string {
  return id
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:(?:us|eu|apac|global)\.)?(?:anthropic|meta|mistral|deepseek|openai|qwen|google)\./, '')
    .replace(/\.gguf$/, '')
    .replace(/[\s_:@]+/g, '-');
}
