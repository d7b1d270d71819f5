// Drives an agent with the client of SDK 0.18, on Node:
// node old_client.mjs <sdk> <cwd> <command> [args...]
// Prints what it saw as one line of JSON.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";

const [sdk, cwd, command, ...args] = process.argv.slice(2);
const { ClientSideConnection, ndJsonStream } = await import(sdk);
const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "inherit"] });
const updates = [];
const asked = [];
const connection = new ClientSideConnection(
  () => ({
    sessionUpdate: ({ update }) => void updates.push(update),
    requestPermission: ({ options, toolCall }) => {
      asked.push(toolCall.title);
      const { optionId } = options.find((o) => o.kind === "allow_once");
      return { outcome: { outcome: "selected", optionId } };
    },
  }),
  ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)),
);
const { agentCapabilities } = await connection.initialize({
  protocolVersion: 1,
  clientCapabilities: {},
});
const { sessionId } = await connection.newSession({ cwd, mcpServers: [] });
const { stopReason } = await connection.prompt({
  sessionId,
  prompt: [{ type: "text", text: "write made.txt: by an old client" }],
});
const live = updates.splice(0);
await connection.loadSession({ sessionId, cwd, mcpServers: [] });
const replayed = [...updates];
child.stdin.end();
const code = await new Promise((resolve) => child.on("exit", resolve));
console.log(
  JSON.stringify({
    agentCapabilities,
    stopReason,
    live,
    replayed,
    asked,
    code,
  }),
);
