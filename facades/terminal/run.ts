import type { ScreenHost } from "../../core/facade.ts";
import type { Edges } from "./edges.ts";
import { PlainConversation } from "./plain_conversation.ts";

/** Runs the facade the way its edges allow; resolves to the exit code. */
export async function runTerminal(
  host: ScreenHost,
  edges: Edges,
): Promise<number> {
  const asked = host.question !== undefined;
  if (!asked && host.output === "text" && isInteractive(edges)) {
    // Only here, so that one-shot runs do not pay for the screen.
    const { runScreen } = await import("./tui/run_screen.ts");
    return await runScreen(host, edges);
  }
  const conversation = new PlainConversation(host, edges);
  return asked
    ? await conversation.once(host.question)
    : await conversation.lines();
}

function isInteractive({ stdin, stdout, env }: Edges): boolean {
  return stdin.isTerminal && stdout.isTerminal && env("TERM") !== "dumb";
}
