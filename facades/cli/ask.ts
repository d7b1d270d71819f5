import type { Flags } from "./flags.ts";
import { readQuestion } from "./question.ts";
import { talk } from "./talk.ts";

/** `mm run`: one question, one answer. */
export async function ask(
  words: readonly string[],
  json: boolean,
  flags: Flags,
): Promise<number> {
  const question = await readQuestion(words, flags.quiet ?? false);
  return await talk(flags, { question, output: json ? "json" : "text" });
}
