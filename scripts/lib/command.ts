import { Failure } from "./failure.ts";

/** How a finished command went; `output` is all it printed, stdout first. */
export interface Outcome {
  readonly ok: boolean;
  readonly stdout: string;
  readonly output: string;
}

/** Runs a command to its end and keeps what it printed, without colours. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = new Deno.Command(command, {
    args: [...args],
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  });
  try {
    const { success, stdout, stderr } = await child.output();
    const out = text(stdout);
    return { ok: success, stdout: out, output: out + text(stderr) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Failure(`Cannot run "${command}": install it first`);
  }
}

/** The reason in a failed command's output, without label or back trace. */
export function reason({ output }: Outcome): string {
  const [message = ""] = output.split("Stack backtrace:");
  return message.trim().replace(/^error: /, "");
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
