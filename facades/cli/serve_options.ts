import { isIP } from "node:net";
import { join } from "node:path";
import type { Config } from "../../core/config.ts";
import { readText } from "./read_text.ts";
import type { ServeFlags } from "./serve.ts";
import { UsageError } from "./usage_error.ts";
import { version } from "./version.ts";

/** The options of the remote facade: agent.yaml, then flags and the environment. */
export async function serveOptions(
  flags: ServeFlags,
  { config, project }: {
    readonly config: Config["serve"];
    readonly project: string;
  },
): Promise<object> {
  const { host, name, insecure, open, json, acp } = flags;
  const token = readToken(Deno.env.get("MM_TOKEN"));
  const port = readPort(flags.port);
  const tls = await readTls(flags);
  return {
    ...config,
    version,
    note: join(project, ".mm", "serve.json"),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(token !== undefined && { token }),
    ...(tls && { tls }),
    names: readNames([...config?.names ?? [], ...name ?? []]),
    ...(insecure && { insecure }),
    ...(open && { open }),
    ...(json && { announce: "json" }),
    ...(acp && { stdoutTaken: true }),
  };
}

function readPort(port: string | undefined): number | undefined {
  if (port === undefined) return undefined;
  const number = Number(port);
  if (/^\d{1,5}$/.test(port) && number < 65536) return number;
  throw new UsageError(
    `Cannot use --port "${port}": give a number from 0 to 65535`,
  );
}

function readNames(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => !/^[\w.-]+$/.test(name) && !isIP(name));
  if (wrong === undefined) return names;
  throw new UsageError(
    `Cannot be called "${wrong}": a name (--name, serve.names) has letters, digits and . _ - only`,
  );
}

// It is never shown: whoever reads the screen could come in.
function readToken(token: string | undefined): string | undefined {
  if (!token) return undefined;
  if (/^[\w.~-]{16,256}$/.test(token)) return token;
  throw new UsageError(
    "Cannot use MM_TOKEN: it needs 16 to 256 characters, letters, digits and . _ ~ - only",
  );
}

async function readTls(
  { cert, key }: ServeFlags,
): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new UsageError("Cannot serve TLS: give both --cert and --key");
  }
  return { cert: await pem(cert), key: await pem(key) };
}

async function pem(file: string): Promise<string> {
  const read = await readText(file, 1024 * 1024);
  const problem = "problem" in read
    ? read.problem
    : /-----BEGIN /.test(read.text)
    ? undefined
    : "it is not in PEM";
  if ("text" in read && problem === undefined) return read.text;
  throw new UsageError(`Cannot read "${file}": ${problem}`);
}
