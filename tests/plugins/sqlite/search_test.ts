import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { UnreadableError } from "../../../core/error.ts";
import { searchStore } from "../../../core/search/search_store.ts";
import type { Hit } from "../../../core/store.ts";
import { matchQuery, snippetOf } from "../../../plugins/sqlite/snippet.ts";
import type { SqliteStore } from "../../../plugins/sqlite/sqlite_store.ts";
import {
  answer,
  history,
  opened,
  question,
  say,
  sessionId,
} from "../../store_suite/histories.ts";
import { anyText } from "../../store_suite/random.ts";
import { SqliteLab } from "./lab.ts";

const id = sessionId(1);

Deno.test("search() finds what was said, by whom, the best first", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(
    id,
    history([
      opened(),
      question("How do I parse the configuration?"),
      answer("Use the parser. The parser parses; that is what parsers do."),
      say({
        role: "tool",
        id: "t",
        toolCallId: "c",
        name: "read",
        content: "def parse(config): ...",
        status: "completed",
        approval: "auto",
      }),
      say({ role: "system", id: "s", content: "You parse." }),
    ]),
  );
  await lab.store.append(sessionId(2), history([opened(), question("Other")]));
  const inflected = await found(lab.store, "parsing");
  const roles = inflected.map(({ role }) => role);
  assert.deepEqual(roles.toSorted(), ["assistant", "tool", "user"]);
  assert(
    inflected.every((hit, n) =>
      n === 0 || hit.score <= inflected[n - 1]!.score
    ),
  );
  const hits = await found(lab.store, "PARSER");
  const { score, ...first } = hits[0]!;
  assert.deepEqual(first, {
    id,
    title: "How do I parse the configuration?",
    seq: 3,
    at: "2026-09-16T10:15:33.000Z",
    role: "assistant",
    snippet: "Use the parser. The parser parses; that is what parsers do.",
    marks: [[8, 14], [20, 26], [27, 33], [48, 55]],
  });
  assert(score > 0);
  assert.equal((await found(lab.store, "config parse")).length, 1);
  assert.equal((await found(lab.store, "parser nowhere")).length, 0);
  assert.equal((await found(lab.store, "parse", 1)).length, 1);
});

Deno.test("search() ignores case and accents, and finds other scripts", async () => {
  await using lab = await SqliteLab.create();
  const texts = [
    "Die Größe der Straße",
    "Été à la CAMPAGNE",
    "日本 語",
    "привет мир",
  ];
  await lab.store.append(
    id,
    history([opened(), ...texts.map((t) => question(t))]),
  );
  for (
    const [n, text] of ["GRÖSSE", "größe", "ete", "campagne", "日本", "ПРИВЕТ"]
      .entries()
  ) {
    const hits = await found(lab.store, text);
    assert.equal(hits.length, n === 0 ? 0 : 1, text);
  }
});

Deno.test("search() knows at once what is appended, moved, removed and said elsewhere", async () => {
  await using lab = await SqliteLab.create();
  const other = lab.fresh();
  await lab.store.append(id, history([opened(), question("needle one")]));
  assert.equal((await found(other, "needle")).length, 1);
  await other.append(id, history([answer("needle two")], 2));
  assert.equal((await found(lab.store, "needle")).length, 2);
  await lab.store.append(id, history([{ type: "withdrawn", from: 3 }], 3));
  await other.move(id, sessionId(2));
  const ids = (await found(lab.store, "needle")).map((hit) => hit.id);
  assert.deepEqual(new Set(ids), new Set([sessionId(2)]));
  await lab.store.remove(sessionId(2));
  assert.deepEqual(await found(other, "needle"), []);
});

Deno.test("what waits to be indexed is found while nobody may write", async () => {
  await using lab = await SqliteLab.create({ timeout: 50 });
  await lab.store.append(id, history([opened(), question("needle one")]));
  using other = new DatabaseSync(lab.path);
  other.exec("BEGIN IMMEDIATE");
  const wanted = { words: ["needle"], limit: 10 };
  const { found: all } = await searchStore(lab.store, wanted, new Set());
  assert.deepEqual(all.map(({ summary }) => summary.id), [id]);
});

Deno.test("no text at all is a syntax error", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(
    id,
    history([opened(), question('a AND b - c\'d "e"')]),
  );
  const odd = [
    "",
    " ",
    `"`,
    `""`,
    "'",
    "- / : ( ) * ^ + { } , .",
    "AND",
    "a AND",
    "NOT b",
    "NEAR(a b)",
    "text : a",
    "a*",
    "\0",
    "a\0b",
    "\ud800",
    "x".repeat(100_000),
    "word ".repeat(1000),
  ];
  for (const text of odd) await found(lab.store, text);
  const property = fc.asyncProperty(anyText, async (text) => {
    await found(lab.store, text);
  });
  await fc.assert(property, { numRuns: 200, seed: 20260916 });
  assert.equal((await found(lab.store, `a AND "e"`)).length, 1);
  assert.equal((await found(lab.store, "c'd -")).length, 1);
});

Deno.test("search() finds any word of what any history says", async () => {
  await using lab = await SqliteLab.create();
  const word = fc.stringMatching(/^[a-z]{3,12}$/);
  let n = 100;
  const property = fc.asyncProperty(
    fc.array(word, { minLength: 1, maxLength: 20 }),
    async (words) => {
      const session = sessionId(n++);
      await lab.store.append(
        session,
        history([opened(), question(words.join(" "))]),
      );
      const text = words[n % words.length]!;
      const hits = await found(lab.store, text, 1000);
      const hit = hits.find((h) => h.id === session);
      assert(hit, text);
      const [from, to] = hit.marks[0]!;
      assert(hit.snippet.slice(from, to).length >= 3);
    },
  );
  await fc.assert(property, { numRuns: 50, seed: 20260916 });
});

Deno.test("an aborted search stops, and the next one works", async () => {
  await using lab = await SqliteLab.create();
  const text = "needle ".repeat(50);
  for (let s = 0; s < 5; s++) {
    const drafts = Array.from({ length: 500 }, () => question(text));
    await lab.store.append(sessionId(s), history([opened(), ...drafts]));
  }
  await found(lab.store, "warm up");
  for (const ms of [0, 0, 1, 2, 5]) {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), ms);
    await Array.fromAsync(lab.store.search({ text: "needle" }, abort.signal))
      .catch((error) => assert.equal(error.name, "AbortError"));
  }
  const aborted = lab.store.search({ text: "needle" }, AbortSignal.abort());
  await assert.rejects(Array.fromAsync(aborted), { name: "AbortError" });
  assert.equal((await found(lab.store, "needle", 7)).length, 7);
});

Deno.test("many searches at once share four readers, and the loop goes on", async () => {
  await using lab = await SqliteLab.create();
  for (let s = 0; s < 10; s++) {
    const drafts = Array.from(
      { length: 1000 },
      (_, n) => question(`common words ${n} and ${s} more of them`),
    );
    await lab.store.append(sessionId(s), history([opened(), ...drafts]));
  }
  await found(lab.store, "warm up");
  const all = await Promise.all(
    Array.from({ length: 20 }, () => found(lab.store, "common words")),
  );
  assert(all.every((hits) => hits.length === 20));
  await lab.store.append(sessionId(0), history([question("still")], 1001));
});

Deno.test("matchQuery() quotes every word", () => {
  assert.equal(matchQuery(`a  "b" c*`), `"a" """b""" "c*"`);
  assert.equal(matchQuery(" \0 "), "");
});

Deno.test("snippetOf() shows the place around the first match", () => {
  const text = `${"before ".repeat(100)}\n\nthe Needle\tis here ${
    "after ".repeat(100)
  }`;
  const { snippet, marks } = snippetOf(text, "needle");
  assert(snippet.startsWith("…before ") && snippet.endsWith("…"));
  assert(snippet.includes("the Needle is here") && snippet.length <= 162);
  assert.deepEqual(marks.map(([from, to]) => snippet.slice(from, to)), [
    "Needle",
  ]);
  assert.deepEqual(snippetOf("nothing of it", "needle"), {
    snippet: "nothing of it",
    marks: [],
  });
  assert.deepEqual(snippetOf("", "needle"), { snippet: "", marks: [] });
});

async function found(
  store: SqliteStore,
  text: string,
  limit?: number,
): Promise<readonly Hit[]> {
  return await Array.fromAsync(store.search({ text, ...(limit && { limit }) }));
}

Deno.test("a row of another shape is passed over by search, and told by read", async () => {
  await using lab = await SqliteLab.create();
  const shapes = [
    `null`,
    `7`,
    `{"type":"message"}`,
    `{"type":"restored","seq":2,"at":""}`,
    `{"part":1,"messages":[{"role":"user"}]}`,
    `{"part":1}`,
  ];
  for (const [n, data] of shapes.entries()) {
    const id = sessionId(n);
    await lab.store.append(id, history([opened(), question("needle")]));
    lab.script(
      `UPDATE events SET data = '${data}' WHERE session_id = '${id}' AND event_type = 'user_message'`,
    );
    await assert.rejects(lab.fresh().read(id), UnreadableError, data);
  }
  const hits = lab.store.search({ text: "needle" });
  assert.deepEqual(await Array.fromAsync(hits), []);
});
