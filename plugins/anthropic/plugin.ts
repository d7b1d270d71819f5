import {
  _default,
  int,
  minimum,
  minLength,
  optional,
  positive,
  strictObject,
  string,
} from "zod/mini";
import { addressOption, serverOptions } from "../../core/http/options.ts";
import { defineModel } from "../../core/plugin.ts";
import { AnthropicModel } from "./model.ts";

/** Anthropic's Messages API, and servers that speak it. */
export const plugin = defineModel({
  name: "anthropic",
  options: strictObject({
    ...serverOptions,
    name: string().check(minLength(1)),
    baseURL: _default(addressOption(), "https://api.anthropic.com/v1"),
    maxOutput: _default(int().check(positive()), 8192),
    contextWindow: _default(int().check(positive()), 200_000),
    thinking: optional(int().check(minimum(1024))),
  }),
  open: (options, host) => new AnthropicModel(options, host),
});
