import { summarize, type Summary } from "../../core/store.ts";
import type { Row } from "./database.ts";
import { lightOf } from "./log.ts";

/** The summary in a row of `sessions`. */
export function summaryOf({ id, bytes, updated_at, gist }: Row): Summary {
  const light = lightOf(String(gist));
  if (light) return { ...summarize(String(id), light), bytes: Number(bytes) };
  return {
    id: String(id),
    title: "",
    createdAt: String(updated_at),
    updatedAt: String(updated_at),
    cwd: "",
    model: "",
    turns: 0,
    errors: 0,
    usage: { input: 0, output: 0 },
    unreadable: "its row in the table sessions is damaged",
  };
}
