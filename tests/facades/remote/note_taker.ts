/** A process that listens, and on a word from stdin keeps a note of that as `mm serve` does. */
import { keepNote } from "../../../facades/remote/server/note.ts";

const [path = ""] = Deno.args;
const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
const { port } = listener.addr as Deno.NetAddr;
const words = Deno.stdin.readable[Symbol.asyncIterator]();
console.log("ready");
await words.next();
try {
  await using _ = await keepNote(path, {
    url: `http://127.0.0.1:${port}/`,
    token: crypto.randomUUID(),
    version: "0",
  });
  console.log("serves");
  await words.next();
} catch (error) {
  console.log(`refused: ${error}`);
}
listener.close();
