import { join } from "node:path";
import { strictObject } from "zod/mini";
import { defineStore } from "../../core/plugin.ts";
import { JsonStore } from "./json_store.ts";

/** One readable JSON file per session, under the project: `.mm/sessions/<id>.json`. */
export const plugin = defineStore({
  name: "json",
  options: strictObject({}),
  open: (_options, host) =>
    new JsonStore(join(host.project, ".mm", "sessions"), { now: host.now }),
});
