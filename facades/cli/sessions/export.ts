import { extname } from "node:path";
import { EXPORT_FORMATS, type ExportFormat } from "../../../core/export.ts";
import { exportSession } from "../../../core/export_session.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, say } from "../output.ts";
import { saveAs } from "../save_as.ts";
import { openOne } from "./open_one.ts";
import { openSessions } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";

/** As what a conversation is written, and where. */
export interface ExportOptions extends JsonOption {
  readonly format?: ExportFormat | undefined;
  readonly output?: string | undefined;
  readonly force?: true | undefined;
}

/** `mm sessions export`: a conversation as a document. */
export async function exportTo(
  ref: string,
  options: ExportOptions,
  flags: Flags,
): Promise<number> {
  await using agent = await openSessions(flags);
  const { id, state } = await openOne(agent, ref);
  const text = exportSession(id, state, formatOf(options));
  const { output = "-", force = false } = options;
  if (output === "-") {
    await print(text);
    return EXIT.ok;
  }
  await saveAs(output, text, {
    force,
    mode: 0o600, // conversations may hold secrets
    wayOut: ", overwrite it by --force",
  });
  if (!flags.quiet) say(`Exported to ${output}`);
  return EXIT.ok;
}

function formatOf({ format, json, output = "" }: ExportOptions): ExportFormat {
  if (json) return "json";
  const ending = extname(output).slice(1);
  return format ?? EXPORT_FORMATS.find((f) => f === ending) ?? "md";
}
