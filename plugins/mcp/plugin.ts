import { definePlugin } from "../../core/plugin.ts";
import { allLaunches } from "./launch.ts";
import { OptionsSchema } from "./options.ts";

/** Tools of MCP servers: those of agent.yaml, and those a client brings. */
export const plugin = definePlugin({
  name: "mcp",
  options: OptionsSchema,
  open: ({ servers, timeout }, host) => ({
    async serve(request, signal) {
      const all = allLaunches(servers, request, host.project);
      if (all.launches.length === 0) {
        return { tools: [], problems: [], async [Symbol.asyncDispose]() {} };
      }
      // A session without servers does without the MCP SDK, which is big.
      const { serve } = await import("./serve.ts");
      return await serve(all, {
        timeoutMs: timeout * 1000,
        version: host.version,
      }, signal);
    },
  }),
});
