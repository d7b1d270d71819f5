import type { AttachFlags } from "./attach.ts";
import type { AnyCommand, Run } from "./program.ts";

/** Adds `mm attach`. */
export function addAttach(program: AnyCommand, run: Run): void {
  program.command("attach")
    .description("Show a conversation of mm serve in this terminal")
    .argument("[url]", "what mm serve printed (default: this project's server)")
    .argument("[session]", "-1 is the latest, or an id, its end, or its title")
    .option("--token <token>", "lets one in (also $MM_TOKEN)")
    .option("--cert <file>", "trust this TLS certificate, PEM")
    .option("--json", "print every event as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action((
      url: string | undefined,
      session: string | undefined,
      own: AttachFlags,
    ) =>
      run(async (flags) =>
        (await import("./attach.ts")).attach({ url, session }, own, flags)
      )
    );
}

const EXAMPLES = `
Examples:
  mm attach                    a new conversation on this project's server
  mm attach -1                 the latest one, as it goes on
  mm attach "http://127.0.0.1:7345/#token=…" -1
  echo "and the docs?" | mm attach -1
Leaving stops nothing: what runs on the server runs on.`;
