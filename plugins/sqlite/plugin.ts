import { resolve } from "node:path";
import {
  _default,
  int,
  maximum,
  minimum,
  number,
  optional,
  strictObject,
  string,
} from "zod/mini";
import { defineStore } from "../../core/plugin.ts";

/** All sessions in one SQLite database, `.mm/sessions.db` of the project unless `path` says otherwise. */
export const plugin = defineStore({
  name: "sqlite",
  options: strictObject({
    path: _default(string(), ".mm/sessions.db"),
    timeout: _default(int().check(minimum(0), maximum(5000)), 5000),
    workingMemoryCap: _default(int().check(minimum(1), maximum(10_000)), 50),
    keepDays: optional(number().check(minimum(1), maximum(36_500))),
  }),
  open: async ({ path, keepDays, ...rest }, host) => {
    // node:sqlite is loaded by who uses it alone.
    const { SqliteStore } = await import("./sqlite_store.ts");
    return new SqliteStore(resolve(host.project, path), {
      ...rest,
      ...(keepDays !== undefined && { keepDays }),
      project: host.project,
      now: host.now,
    });
  },
});
