import type { AnyCommand, Run } from "./program.ts";
import type { ServeFlags } from "./serve.ts";

/** Adds `mm serve`. */
export function addServe(program: AnyCommand, run: Run): void {
  program.commandsGroup("On other screens:");
  program.command("serve")
    .description("Serve the conversations to browsers, phones and terminals")
    .option("--host <address>", "listen there (default: this machine alone)")
    .option("--port <n>", "listen on this port (default: 7345; 0: any)")
    .option("--cert <file>", "TLS certificate, PEM")
    .option("--key <file>", "its private key, PEM")
    .option("--insecure", "serve other machines without TLS")
    .option("--name <host...>", "names by which clients may call it")
    .option("--open", "open the page in the browser")
    .option("--acp", "serve an editor on stdin and stdout, too")
    .option("--json", "tell where it is as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action((flags: ServeFlags) =>
      run(async (all) => (await import("./serve.ts")).serve(flags, all))
    );
}

const EXAMPLES = `
Examples:
  mm serve --open                                    in the browser of this machine
  mm serve --host 0.0.0.0 --cert c.pem --key k.pem   from a phone
  ssh -L 7345:localhost:7345 box                     to one that runs on "box"
MM_TOKEN sets the token, which is random otherwise. More: docs/remote.md.`;
