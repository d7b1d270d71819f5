import assert from "node:assert/strict";
import { join } from "node:path";
import { same } from "../../../core/same.ts";
import {
  histories,
  history,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { openForTest } from "../../store_suite/open.ts";
import { TempDir } from "../../temp_dir.ts";

const id = sessionId(1);

/** What editors do to a file that they save. */
const habits: Readonly<Record<string, (text: string) => string>> = {
  "with a byte order mark": (text) => `\ufeff${text}`,
  "with CRLF line ends": (text) => text.replaceAll("\n", "\r\n"),
  "with both": (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`,
  "with blank lines at its end": (text) => `${text}\n\r\n  \n`,
};

for (const name of ["json", "jsonl"]) {
  for (const [how, saved] of Object.entries(habits)) {
    Deno.test(`${name}: a file that an editor saved ${how} is read, listed, gone on with and moved`, async () => {
      await using dir = await TempDir.make();
      const events = histories["a settled turn, then a new prompt"]!;
      await using store = await openForTest(name, dir.path);
      await store.append(id, events);
      const before = (await store.read(id))!;
      const path = join(dir.path, ".mm", "sessions", `${id}.${name}`);
      await Deno.writeTextFile(path, saved(await Deno.readTextFile(path)));

      await using fresh = await openForTest(name, dir.path);
      assert(same(await fresh.read(id), before));
      const { items: [item] } = await fresh.list();
      assert.equal(item?.title, before.title);
      assert.equal(item?.unreadable, undefined);
      await fresh.append(id, history([question("And now?")], before.seq));
      await fresh.move(id, sessionId(2));
      await using last = await openForTest(name, dir.path);
      const state = await last.read(sessionId(2));
      assert.equal(state?.seq, before.seq + 1);
      assert.equal(state?.messages.at(-1)?.content, "And now?");
    });
  }
}
