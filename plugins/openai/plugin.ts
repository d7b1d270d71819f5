import {
  _default,
  array,
  describe,
  enum as oneOf,
  int,
  minLength,
  optional,
  positive,
  strictObject,
  string,
} from "zod/mini";
import { addressOption, serverOptions } from "../../core/http/options.ts";
import { defineModel } from "../../core/plugin.ts";
import { OpenAiModel } from "./model.ts";

/** Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM … */
export const plugin = defineModel({
  name: "openai",
  options: strictObject({
    ...serverOptions,
    name: optional(string().check(minLength(1))),
    baseURL: _default(addressOption(), "http://localhost:11434/v1"),
    maxOutput: optional(int().check(positive())),
    /** What the model takes besides text. */
    accepts: optional(array(oneOf(["image", "audio"]))),
    reasoning: optional(
      string().check(
        minLength(1),
        describe("low, medium, high, as the model has it"),
      ),
    ),
  }),
  open: (options, host) => new OpenAiModel(options, host),
});
