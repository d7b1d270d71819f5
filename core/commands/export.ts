import { defineCommand } from "../command.ts";
import { EXPORT_FORMATS, type ExportFormat } from "../export.ts";

/** Writes the conversation as a document. */
export const exportCommand = defineCommand({
  name: "export",
  summary: "Write this conversation to a file",
  hint: "[md|html|json]",
  complete: (prefix) =>
    Promise.resolve(EXPORT_FORMATS.filter((f) => f.startsWith(prefix))),
  async run(args, host) {
    const { session } = host;
    const format = (args || "md") as ExportFormat;
    if (!EXPORT_FORMATS.includes(format)) {
      throw new Error(
        `Cannot export as "${args}": choose one of ${
          EXPORT_FORMATS.join(", ")
        }`,
      );
    }
    if (!host.save) {
      throw new Error("Cannot export from here: use mm sessions export");
    }
    const { exportSession } = await import("../export_session.ts");
    const text = exportSession(session.id, session.state, format);
    const path = await host.save(`${session.id}.${format}`, text);
    host.say(`Exported to ${path}`);
  },
});
