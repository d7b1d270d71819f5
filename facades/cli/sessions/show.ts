import { exportSession } from "../../../core/export_session.ts";
import type { SessionState } from "../../../core/fold.ts";
import { contentText } from "../../../core/message.ts";
import { replay, type ReplayItem } from "../../../core/replay.ts";
import { summarize } from "../../../core/store.ts";
import { summaryLine } from "../../../core/summary_line.ts";
import { clean } from "../clean.ts";
import { painter } from "../color.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print } from "../output.ts";
import { openOne } from "./open_one.ts";
import { openSessions } from "./open_sessions.ts";
import { sayErrors } from "./say_errors.ts";
import type { JsonOption } from "./program.ts";

/** How much is shown. */
export interface ShowOptions extends JsonOption {
  readonly full?: true | undefined;
}

/** `mm sessions show`: a conversation as one reads it. */
export async function show(
  ref: string | undefined,
  { json, full = undefined }: ShowOptions,
  flags: Flags,
): Promise<number> {
  await using agent = await openSessions(flags);
  const { id, state } = await openOne(agent, ref, flags);
  if (json) await print(exportSession(id, state, "json"));
  else await printReadable(id, state, full ?? false);
  sayErrors(id, state, flags);
  return EXIT.ok;
}

// Piece by piece: the text of a long conversation is not held whole beside it.
async function printReadable(
  id: string,
  state: SessionState,
  full: boolean,
): Promise<void> {
  const line = summaryLine(summarize(id, state), new Date());
  let text = `${painter()("bold", line)}\n${id}\n`;
  for (const item of replay(state)) {
    text += `\n${part(item, full)}\n`;
    if (text.length < 64 * 1024) continue;
    await print(text);
    text = "";
  }
  await print(text);
}

function part(item: ReplayItem, full: boolean): string {
  const paint = painter();
  switch (item.type) {
    case "omitted":
      return paint("dim", "(earlier messages omitted)");
    case "summary":
      return `${paint("bold", "Summary of earlier turns")}\n${
        clean(item.text)
      }`;
    case "user":
      return paint("bold", prefixed("> ", contentText(item.content)));
    case "thought":
      return paint("dim", item.text);
    case "assistant":
      return clean(item.text);
    case "tool":
      return tool(item, full);
  }
}

function tool(
  { result }: ReplayItem & { type: "tool" },
  full: boolean,
): string {
  const { title, name, status, approval, content } = result;
  const color = status === "completed" ? "green" : "red";
  const mark = status === "completed" ? "✓" : "✗";
  const denied = approval === "denied" ? " (denied)" : "";
  const head = painter()(color, `${mark} ${title ?? name}${denied}`);
  const output = clean(content).trimEnd();
  if (full && output) return `${head}\n${prefixed("  ", output)}`;
  const lines = output.split("\n").length;
  return lines > 1 ? `${head} · ${lines} lines` : head;
}

function prefixed(prefix: string, text: string): string {
  return text.split("\n").map((line) => `${prefix}${line}`).join("\n");
}
