import { join } from "node:path";
import { strictObject } from "zod/mini";
import { defineStore } from "../../core/plugin.ts";
import { JsonlStore } from "./jsonl_store.ts";

/** One log per session, an event a line, under the project: `.mm/sessions/<id>.jsonl`. */
export const plugin = defineStore({
  name: "jsonl",
  options: strictObject({}),
  open: (_options, host) =>
    new JsonlStore(join(host.project, ".mm", "sessions"), { now: host.now }),
});
