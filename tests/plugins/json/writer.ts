import { ConflictError } from "../../../core/error.ts";
import type { EventDraft } from "../../../core/event.ts";
import { JsonStore } from "../../../plugins/json/json_store.ts";

// `writer.ts <folder> <id> <name> <count> <long>`: appends messages, tells each one that is on the disk.
const [folder = "", id = "", name = "", count = "0", long = "0"] = Deno.args;
await using store = new JsonStore(folder);
let size = 1;
for (let n = 0; n < Number(count);) {
  const seq = ((await store.read(id))?.seq ?? 0) + 1;
  const content = `${name}-${n} `.padEnd(size, "x");
  const message = { role: "user", id: `${name}-${n}`, content } as const;
  const draft: EventDraft = { type: "message", message };
  try {
    await store.append(id, [{ ...draft, seq, at: new Date().toISOString() }]);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    continue;
  }
  await Deno.stdout.write(new TextEncoder().encode(`${name}-${n}\n`));
  // Some lines are long, so that kills fall into writes too.
  size = n % 7 === 0 ? Number(long) : 100;
  n++;
}
