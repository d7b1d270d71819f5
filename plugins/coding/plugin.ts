import {
  _default,
  array,
  enum as oneOf,
  minimum,
  number,
  strictObject,
  string,
} from "zod/mini";
import { definePlugin } from "../../core/plugin.ts";
import { editTool } from "./edit.ts";
import { listTool } from "./list.ts";
import { planTool } from "./plan.ts";
import { Planned } from "./planned.ts";
import { readTool } from "./read.ts";
import { searchTool } from "./search.ts";
import { shellTool } from "./shell.ts";
import { writeTool } from "./write.ts";

const NAMES = [
  "read",
  "list",
  "search",
  "write",
  "edit",
  "shell",
  "plan",
] as const;

/** The tools of a coding agent: files, search and a shell. */
export const plugin = definePlugin({
  name: "coding",
  options: strictObject({
    /** Tools that the model does not get. */
    off: _default(array(oneOf(NAMES)), []),
    timeout: _default(number().check(minimum(1)), 120),
    maxTimeout: _default(number().check(minimum(1)), 3600),
    output: _default(number().check(minimum(1000)), 30_000),
    hideEnv: _default(array(string()), []),
  }),
  open(options, host) {
    const planned = new Planned(host.project);
    const tools = [
      readTool(planned),
      listTool(planned),
      searchTool(planned),
      writeTool(planned),
      editTool(planned),
      shellTool(options, host),
      planTool(),
    ];
    const off = new Set<string>(options.off);
    return { tools: tools.filter((tool) => !off.has(tool.name)) };
  },
});
