import { setTimeout as delay } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";

// `reader.ts <database> <connections> <ms>`: reads from it, each connection in
// one transaction of `ms` after the other and never two in step; 0 ms: one
// transaction that does not end. Says so once it has begun.
const [path = "", connections = "1", ms = "0"] = Deno.args;
const count = Number(connections);
for (let n = 0; n < count; n++) void read(Number(ms) * n / count);

async function read(start: number): Promise<never> {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  await delay(start);
  for (;;) {
    db.exec("BEGIN");
    db.prepare("SELECT count(*) FROM events").get();
    console.log("reading");
    await delay(Number(ms) || 2 ** 30);
    db.exec("COMMIT");
  }
}
