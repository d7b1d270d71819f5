import {
  array,
  enum as oneOf,
  minLength,
  object,
  optional,
  string,
} from "zod/mini";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";

/** Tells the user what the model means to do. It changes nothing. */
export function planTool(): Tool {
  return defineTool({
    name: "plan",
    description:
      "Show the user your plan for work of several steps. Give all steps each time, again when one is done.",
    kind: "think",
    input: object({
      entries: array(object({
        content: string().check(minLength(1)),
        status: oneOf(["pending", "in_progress", "completed"]),
        priority: optional(oneOf(["high", "medium", "low"])),
      })),
    }),
    plan({ entries }) {
      const done = entries.filter((e) => e.status === "completed").length;
      return {
        title: `Plan: ${done} of ${entries.length} done`,
        access: "auto",
      };
    },
    run: ({ entries }) =>
      Promise.resolve({
        content: entries.map((e) => `${MARK[e.status]} ${e.content}`)
          .join("\n"),
      }),
  });
}

const MARK = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;
