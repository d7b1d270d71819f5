/** How model servers say that the conversation does not fit their window. */
const SAYINGS: readonly RegExp[] = [
  /context[_ ]length[_ ]exceeded/i, // OpenAI, code
  /maximum (context|model|prompt) length/i, // OpenAI, vLLM, OpenRouter, xAI, Mistral
  /exceeds? (the|this) (model'?s )?(available |maximum )?context/i, // OpenAI, llama.cpp, Ollama
  /exceed_context_size/i, // llama.cpp, type
  /exceed(s|ed)? (the )?max(imum)? context/i, // Ollama
  /(greater|longer) than the context (length|window|size)/i, // LM Studio
  /when context the overflows|context length of only/i, // LM Studio
  /(reached|exceeded) (the )?context (length|window)/i, // LM Studio
  /prompt is too long|prompt too long|input is too long/i, // Anthropic, Ollama, Bedrock
  /exceeds? (the )?context (limit|window|length)/i, // Anthropic
  /context window exceeds/i, // MiniMax
  /input token count.*exceeds/i, // Gemini
  /exceeded model token limit/i, // Kimi
  /reduce the length of the messages/i, // Groq
];

/** Tells whether an error message means a context overflow. */
export function isOverflow(message: string): boolean {
  return SAYINGS.some((saying) => saying.test(message));
}
