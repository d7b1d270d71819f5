import { ConflictError } from "../../core/error.ts";
import type { EventDraft } from "../../core/event.ts";
import { openForTest } from "./open.ts";
import { opened } from "./histories.ts";

// `writer.ts <store> <project> <ids> <name> <count> <long>`: appends messages to the
// sessions in turn, going on where another process went; tells each that is stored.
const [kind = "", project = "", ids = "", name = "", count = "0", long = "0"] =
  Deno.args;
await using store = await openForTest(kind, project);
const sessions = ids.split(",");
const known = new Map<string, number>();
let size = 1;
for (let n = 0; n < Number(count);) {
  const session = sessions[n % sessions.length]!;
  const last = known.get(session) ?? (await store.read(session))?.seq ?? 0;
  const content = `${name}-${n} `.padEnd(size, "x");
  const message = { role: "user", id: `${name}-${n}`, content } as const;
  const drafts: EventDraft[] = [{ type: "message", message }];
  if (last === 0) drafts.unshift(opened());
  const at = new Date().toISOString();
  try {
    await store.append(
      session,
      drafts.map((draft, i) => ({ ...draft, seq: last + 1 + i, at })),
    );
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    known.delete(session);
    continue;
  }
  known.set(session, last + drafts.length);
  await Deno.stdout.write(new TextEncoder().encode(`${name}-${n}\n`));
  // Some lines are long, so that kills fall into writes too.
  size = n % 7 === 0 ? Number(long) : 100;
  n++;
}
