import { deepStrictEqual, ok, strictEqual as equal } from "node:assert";
import { join } from "node:path";
import { Agent } from "../../../core/agent.ts";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { CommandHost } from "../../../core/command.ts";
import { saveFile } from "../../../facades/terminal/save_file.ts";
import { ApprovalPrompt } from "../../../facades/terminal/tui/approval_prompt.ts";
import { Completion } from "../../../facades/terminal/tui/completion.ts";
import { History, historyPath } from "../../../facades/terminal/tui/history.ts";
import { KeyGuard } from "../../../facades/terminal/tui/key_guard.ts";
import { Keys } from "../../../facades/terminal/tui/keys.ts";
import { ProjectFiles } from "../../../facades/terminal/tui/project_files.ts";
import { makeTheme } from "../../../facades/terminal/tui/theme.ts";
import { ScriptedModel } from "../../scripted_model.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("History keeps what two processes add, private, garbage skipped", async () => {
  await using dir = await TempDir.make();
  const path = join(dir.path, "state", "mm", "history");
  const [one, two] = [new History(path), new History(path)];
  deepStrictEqual(await one.load(), []);
  await one.add("first\nof two lines");
  await two.add("second");
  await Deno.writeTextFile(path, '{"no":1}\nnot json\n\0\n', { append: true });
  await one.add("third");
  deepStrictEqual(await two.load(), ["first\nof two lines", "second", "third"]);
  equal((await Deno.stat(path)).mode! & 0o777, 0o600);
});

Deno.test("History is cut down when it grows too large", async () => {
  await using dir = await TempDir.make();
  const path = join(dir.path, "history");
  const line = JSON.stringify("x".repeat(500)) + "\n";
  await Deno.writeTextFile(path, line.repeat(3_000));
  equal((await new History(path).load()).length, 500);
  ok((await Deno.stat(path)).size < 300_000);
  equal((await Array.fromAsync(Deno.readDir(dir.path))).length, 1);
});

Deno.test("History survives a folder it cannot use", async () => {
  const history = new History("/dev/null/mm/history");
  await history.add("x");
  deepStrictEqual(await history.load(), []);
});

Deno.test("historyPath() follows XDG_STATE_HOME, then the home", () => {
  const env = (vars: Record<string, string>) => (name: string) => vars[name];
  equal(
    historyPath(env({ XDG_STATE_HOME: "/s", HOME: "/h" })),
    "/s/mm/history",
  );
  equal(historyPath(env({ HOME: "/h" })), "/h/.local/state/mm/history");
  equal(historyPath(env({})), undefined);
});

Deno.test("saveFile() never overwrites", async () => {
  await using dir = await TempDir.make();
  const names = [];
  for (const text of ["1", "2", "3"]) {
    names.push(await saveFile(dir.path, "a.md", text));
  }
  deepStrictEqual(
    names,
    ["a.md", "a-2.md", "a-3.md"].map((n) => join(dir.path, n)),
  );
  equal(await Deno.readTextFile(names[0]!), "1");
});

Deno.test("ProjectFiles finds what the project does not ignore", async () => {
  await using dir = await TempDir.make();
  for (
    const path of ["src/parse.ts", "src/gen/x.ts", "node_modules/p/a.ts", "par"]
  ) {
    const full = join(dir.path, path);
    await Deno.mkdir(join(full, ".."), { recursive: true });
    await Deno.writeTextFile(full, "");
  }
  await Deno.writeTextFile(join(dir.path, ".gitignore"), "node_modules\n");
  await Deno.writeTextFile(join(dir.path, "src", ".gitignore"), "/gen/\n");
  const files = new ProjectFiles(dir.path);
  deepStrictEqual(await files.find("par"), ["par", "src/parse.ts"]);
  deepStrictEqual(await files.find("gen"), []);
  deepStrictEqual(await files.find("p/a"), []);
});

Deno.test("Completion completes commands, their arguments on Tab, and @paths", async () => {
  await using dir = await TempDir.make();
  await Deno.writeTextFile(join(dir.path, "notes.md"), "");
  await using agent = new Agent({
    cwd: dir.path,
    model: new ScriptedModel(["ok"]),
  });
  const session = agent.create();
  await session.prompt("What is it?");
  const host = { agent, session } as unknown as CommandHost;
  const completion = new Completion(host, new ProjectFiles(dir.path));
  const suggest = async (text: string, force = false) => {
    const { signal } = new AbortController();
    const found = await completion.getSuggestions(
      [text],
      0,
      text.length,
      { signal, force },
    );
    return found?.items.map((i) => i.value) ?? [];
  };
  deepStrictEqual(await suggest("/se"), ["/sessions"]);
  deepStrictEqual(await suggest("/etc/hosts"), []);
  deepStrictEqual(await suggest("/resume 2"), []);
  deepStrictEqual(await suggest("/resume 2", true), [session.id]);
  deepStrictEqual(await suggest("/export h", true), ["html"]);
  deepStrictEqual(await suggest("see @no"), ["@notes.md"]);
  deepStrictEqual(await suggest("me@no"), []);
  deepStrictEqual(
    completion.applyCompletion(["see @no now"], 0, 7, {
      value: "@notes.md",
      label: "",
    }, "@no"),
    { lines: ["see @notes.md now"], cursorLine: 0, cursorCol: 14 },
  );
});

const request: ApprovalRequest = {
  id: "a",
  call: { id: "c", name: "shell", arguments: { command: "ls\x1b[8m; rm x" } },
  title: "Run ls",
  kind: "execute",
  locations: [],
  diffs: [],
  reason: "runs a command",
};

Deno.test("ApprovalPrompt shows what would hide, and what always covers", () => {
  const prompt = (scope?: string) =>
    new ApprovalPrompt(
      { ...request, ...scope && { scope } },
      makeTheme(false),
      () => {},
    ).render(60).join("\n");
  ok(prompt().includes("ls\\u001b[8m; rm x"));
  ok(!prompt().includes("always"));
  ok(prompt("ls *").includes("a always in this session: ls *"));
});

Deno.test("ApprovalPrompt takes one key, or a reason", () => {
  const decide = (...keys: string[]) => {
    const decisions: unknown[] = [];
    const prompt = new ApprovalPrompt(
      { ...request, scope: "ls" },
      makeTheme(false),
      (decision) => decisions.push(decision),
    );
    for (const key of keys) prompt.handleInput(key);
    return decisions;
  };
  deepStrictEqual(decide("y"), [{ outcome: "allow_once" }]);
  deepStrictEqual(decide("A"), [{ outcome: "allow_always" }]);
  deepStrictEqual(decide("n"), [{ outcome: "reject" }]);
  deepStrictEqual(decide("r", "n", "o", "\r"), [
    { outcome: "reject", reason: "no" },
  ]);
  deepStrictEqual(decide("r", "x", "\x1b", "y"), [{ outcome: "allow_once" }]);
  deepStrictEqual(decide("\r", " ", "x", "q"), []);
});

Deno.test("ApprovalPrompt shows a long command in parts, to its end", () => {
  const command = Array.from({ length: 40 }, (_, i) => `echo line-${i};`);
  const call = { ...request.call, arguments: { command: command.join("\n") } };
  const prompt = new ApprovalPrompt(
    { ...request, call, title: "Run a script" },
    makeTheme(false),
    () => {},
  );
  const seen = (...keys: string[]) => {
    for (const key of keys) prompt.handleInput(key);
    return prompt.render(90).join("\n");
  };
  const top = seen();
  ok(top.includes("line-15;") && !top.includes("line-16;"));
  ok(top.includes("… 24 more lines") && top.includes("↑↓ read the rest"));
  const lower = seen("\x1b[B", "\x1b[6~");
  ok(lower.includes("… 17 more lines above") && lower.includes("line-32;"));
  const end = seen("\x1b[F", "\x1b[B");
  ok(end.includes("line-39;") && end.includes("… 24 more lines above"));
  equal(seen("\x1b[H"), top);
});

Deno.test("Keys takes one Ctrl-C for one, where terminals tell releases too", () => {
  const did: string[] = [];
  const keys = new Keys({
    editor: {
      getText: () => "",
      setText: () => {},
      handleInput: () => {},
      isShowingAutocomplete: () => false,
    },
    running: () => false,
    prompting: () => undefined,
    cancel: () => did.push("cancel"),
    quit: () => did.push("quit"),
    hint: (text) => text && did.push("hint"),
    pressed: () => "question",
  });
  keys.listener("\x1b[99;5u");
  keys.listener("\x1b[99;5:3u");
  deepStrictEqual(did, ["hint"]);
  keys.listener("\x1b[99;5u");
  deepStrictEqual(did, ["hint", "quit"]);
});

Deno.test("KeyGuard gives a question no key that was on its way when it appeared", () => {
  let now = 10_000;
  const guard = new KeyGuard(() => now);
  const key = (ms: number) => {
    now += ms;
    return guard.key();
  };
  equal(key(0), "question", "there is none");
  now += 5_000;
  guard.appear(false);
  // A word that was begun as the question appeared.
  deepStrictEqual([key(100), key(150), key(399)], Array(3).fill("nobody"));
  equal(key(400), "question");
  equal(key(1), "question", "once it listens it goes on listening");
  guard.appear(false);
  equal(key(399), "nobody", "the next one begins anew");
  now += 5_000;
  guard.appear(false);
  equal(key(401), "question");
});

Deno.test("KeyGuard lets a message be typed on until there is a pause", () => {
  let now = 10_000;
  const guard = new KeyGuard(() => now);
  const key = (ms: number) => {
    now += ms;
    return guard.key();
  };
  key(0);
  guard.appear(true);
  deepStrictEqual([key(450), key(600), key(699)], Array(3).fill("message"));
  equal(key(700), "question");
  now += 5_000;
  guard.appear(true);
  equal(key(100), "nobody", "a draft that is left alone is not gone on with");
});
