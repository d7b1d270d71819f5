import { _default, nonnegative, number, strictObject } from "zod/mini";
import { defineModel } from "../../core/plugin.ts";
import { DemoModel } from "./model.ts";

/** The built-in demo: no server, no intelligence, real tool calls. */
export const plugin = defineModel({
  name: "demo",
  options: strictObject({
    /** Milliseconds between two words. */
    delay: _default(number().check(nonnegative()), 15),
  }),
  open: (options) => new DemoModel(options),
});
