import { extname } from "node:path";
import type { ExportFormat } from "../../../core/export.ts";
import { exportSession } from "../../../core/export_session.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, say } from "../output.ts";
import { saveAs } from "../save_as.ts";
import { UsageError } from "../usage_error.ts";
import { openOne } from "./open_one.ts";
import { openSessions } from "./open_sessions.ts";
import { sayErrors } from "./say_errors.ts";
import type { JsonOption } from "./program.ts";

/** As what a conversation is written, and where. */
export interface ExportOptions extends JsonOption {
  readonly format?: ExportFormat | undefined;
  readonly output?: string | undefined;
  readonly force?: true | undefined;
}

/** `mm sessions export`: a conversation as a document. */
export async function exportTo(
  ref: string | undefined,
  options: ExportOptions,
  flags: Flags,
): Promise<number> {
  const format = formatOf(options);
  await using agent = await openSessions(flags);
  const { id, state } = await openOne(agent, ref, flags);
  const text = exportSession(id, state, format);
  const { output = "-", force = false } = options;
  if (output === "-") {
    await print(text);
  } else {
    await saveAs(output, text, {
      force,
      mode: 0o600, // conversations may hold secrets
      wayOut: ", overwrite it by --force",
    });
    if (!flags.quiet) say(`Exported to ${output}`);
  }
  sayErrors(id, state, flags);
  return EXIT.ok;
}

function formatOf({ format, json, output = "" }: ExportOptions): ExportFormat {
  if (json) return "json";
  const ending = extname(output).toLowerCase();
  const named = format ?? BY_ENDING[ending];
  if (named) return named;
  throw new UsageError(
    `Cannot write ${output}: "${ending}" is the ending of no format; use .md, .html or .json, or say --format`,
  );
}

const BY_ENDING: Readonly<Record<string, ExportFormat>> = {
  "": "md",
  ".md": "md",
  ".markdown": "md",
  ".txt": "md",
  ".html": "html",
  ".htm": "html",
  ".json": "json",
};
