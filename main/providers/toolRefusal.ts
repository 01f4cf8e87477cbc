// The ways servers say that a model takes no tools at all (Ollama, OpenRouter, vLLM, llama.cpp and what imitates them). As data.
const texts: readonly RegExp[] = [
  /does(?:n['’]t| not) support (?:the use of )?(?:tools?|functions?|tool (?:use|calls?|calling)|function calling)\b/i,
  /no endpoints found that support tool use/i,
  /(?:tools?|function calling|tool (?:use|calling|choice)) (?:is|are) not (?:supported|enabled|available)/i,
  /["'“”]auto["'“”] tool choice requires|enable-auto-tool-choice/i,
  /tools param(?:eter)? requires --jinja/i,
];

export function isToolRefusal(text: string): boolean {
  return texts.some((pattern) => pattern.test(text));
}
