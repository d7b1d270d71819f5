import { doesNotMatch, match, ok, strictEqual as equal } from "node:assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NO_TMUX, Terminal } from "./tmux.ts";
import { TempDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";

tty(
  "a day at work: ask, approve, cancel, leave, come back, go on",
  async (open) => {
    {
      await using t = await open();
      await t.see(/parrot · 0% of 8k · ask/);
      await t.see(/\/help lists commands and keys/);
      doesNotMatch(await t.text(), /earlier conversation/);
      await t.enter("read README.md");
      await t.see(idle(/● Read README\.md\n {2}3 lines\n\nIt said:/));
      await t.enter("edit a.ts");
      await t.see(/\? Allow: Edit a\.ts[^]*a always in this session: edits in/);
      await t.answer("y");
      await t.see(idle(/● Edit a\.ts \+2 -1\n[^]*2 - two\n[^]*Edited a\.ts/));
      await t.enter("go on for ever");
      await t.see(/Line 35 of a long answer/);
      await t.press("Escape");
      await t.see(/Cancelled\n/);
      await t.press("C-d");
      await t.see(/To continue: mm --session \S+\ncode 0/);
    }
    {
      await using t = await open();
      await t.see(/1 earlier conversation: \/sessions to list/);
      await t.enter("/sessions");
      const seen = await t.see(/› read README\.md · 3 turns · /);
      match(seen, /esc close/);
      await t.press("Escape");
      await t.see(/───\n\s*\n───/);
      await t.enter("/resume 1");
      await t.see(
        /Line 1 of a long answer[^]*Resumed "read README\.md" · 3 turns/,
        true,
      );
      await t.enter("hello");
      await t.see(/Two things[^]*│ 你好 │ 🎉/);
      await t.enter("/compact");
      await t.see(/Compacted: \d+ messages became \d+/);
      await t.enter("/new");
      await t.see(/A new conversation; the old one is kept/);
      await t.enter("hello you");
      await t.see(/hello you\n[^]*parrot · \d+% of 8k · ask +hello you/);
      await t.enter("/quit");
      await t.see(/code 0/);
    }
  },
);

tty(
  "Ctrl-C clears, cancels, and quits when pressed twice; the terminal is whole after it",
  async (open) => {
    await using t = await open();
    await t.see(/· ask/);
    await t.type("draft");
    await t.see(/draft/);
    await t.press("C-c");
    await t.enter("for ever");
    await t.see(/Line 35 /);
    doesNotMatch(await t.text(), /draft/);
    await t.press("C-c");
    await t.see(/Cancelled/);
    await t.press("C-c");
    await t.see(/Press Ctrl-C again to quit/);
    await t.pressUntil("C-c", /code 0/);
    await isWhole(t);
  },
);

tty("SIGTERM cancels, saves and gives the terminal back", async (open) => {
  await using t = await open();
  await t.see(/· ask/);
  await t.enter("for ever");
  await t.see(/Line 35 /);
  Deno.kill(await pid(t), "SIGTERM");
  await t.see(/To continue[^]*code 130/);
  await isWhole(t);
});

tty("an exception gives the terminal back", async (open) => {
  await using t = await open({ PARROT_CRASH_MS: "1500" });
  await t.see(/code 1/);
  match(await t.text(), /A bug of the driver/);
  await isWhole(t);
});

tty(
  "what is typed during a turn steers it, and is shown at once",
  async (open) => {
    await using t = await open();
    await t.see(/· ask/);
    await t.enter("shell make");
    await t.see(/Allow: Run make/);
    await t.answer("y");
    await t.see(/● Run make\n[^]*make line/);
    await t.enter("hello as well");
    await t.see(/› hello as well/);
    await t.see(
      /… 7 more lines\n {2}make line 7[^]*› hello as well[^]*Two things/,
    );
  },
);

tty(
  "a key typed into the editor does not answer an approval that appears",
  async (open) => {
    await using t = await open();
    await t.see(/· ask/);
    // In one go: on a slow machine, too, the question comes amid the typing.
    await t.type("edit a.ts\ryyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
    await t.see(/Allow: Edit a\.ts/);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    match(await t.text(), /Allow: Edit a\.ts/);
    await t.press("n");
    doesNotMatch(await t.see(/⊘ Edit a\.ts denied/), /Edited a\.ts/);
  },
);

tty(
  "always is asked once, a denial carries its reason, Esc cancels the turn",
  async (open) => {
    await using t = await open();
    await t.see(/· ask/);
    await t.enter("edit a.ts");
    await t.see(/a always/);
    await t.answer("a");
    await t.see(/Edited a\.ts/);
    await t.enter("edit b.ts");
    await t.see(/Edited b\.ts/);
    await t.enter("shell rm");
    await t.see(/Allow: Run rm/);
    await t.answer("r");
    await t.see(/Why not\?/);
    await t.enter("no, never");
    await t.see(/⊘ Run rm denied\n {2}Denied: no, never/);
    await t.enter("shell ls");
    await t.see(/Allow: Run ls/);
    await t.press("Escape");
    await t.see(/◌ Run ls cancelled[^]*Cancelled/);
  },
);

tty("history, completion, several lines and a paste", async (open) => {
  {
    await using t = await open();
    await t.see(/· ask/);
    await t.enter("hello history");
    await t.see(/Two things/);
    await t.type("/ses");
    await t.see(/\/sessions \[text\] +List earlier/);
    await t.press("Escape");
    await t.see(/── *\n \/ses *\n──[^]*ask/);
    await t.press("C-u");
    await t.type("see @REA");
    await t.press("Tab");
    await t.see(/see @README\.md/);
    await t.press("C-u");
    await t.paste("one\ntwo\nthree");
    await t.see(/one\n two\n three/);
    await t.press("Enter");
    await t.see(/› one\n {2}two\n {2}three/);
    await t.see(/three\n\nTwo things[^]*┘\n\n──/);
    await t.press("C-d");
    await t.see(/code 0/);
  }
  await using t = await open();
  await t.see(/· ask/);
  await t.press("Up", "Up", "Up", "Up");
  await t.see(/───\n hello history/);
});

tty(
  "the browser filters, deletes after asking, and shows what cannot be read",
  async (open, dir) => {
    await using t = await open();
    await t.see(/· ask/);
    for (const name of ["apple", "banana"]) {
      await t.enter(`hello ${name}`);
      await t.see(new RegExp(`ask +hello ${name}`));
      await t.see(/┘\n\n──/);
      await t.enter("/new");
      await t.see(/ask +\d{8}-/);
    }
    const bad = "20250101-000000-00000000";
    await Deno.writeTextFile(join(dir, ".mm", "sessions", `${bad}.json`), "{");
    await t.enter("/sessions");
    const all = await t.see(/unreadable: /);
    match(
      all,
      /› hello banana[^]*hello apple[^]*20250101-000000-00000000 unread/,
    );
    await t.see(/› hello banana\n {2}/);
    await t.type("app");
    await t.see(/app▏\n› hello apple/);
    await t.press("DC");
    await t.see(/Delete "hello apple" for good\?/);
    await t.press("x");
    await t.see(/esc close/);
    await t.press("DC");
    await t.answer("y");
    await t.see(/None matches/);
    await t.press("C-u");
    await t.see(/› hello banana[^]*unreadable/);
    await t.press("Enter");
    await t.see(/Resumed "hello banana" · 1 turn/);
    await t.enter(`/resume ${bad}`);
    await t.see(/Cannot resume session 20250101-000000-00000000/);
  },
);

tty("40 columns, then wider and narrower", async (open) => {
  await using t = await open({}, { columns: 40, rows: 16 });
  await t.see(/· ask/);
  await t.enter(
    "edit a_file_with_quite_a_long_name_for_so_narrow_a_terminal.ts",
  );
  await t.see(/Allow: Edit/);
  await t.answer("y");
  await t.see(/│ arrow_a_terminal/);
  await t.resize(100, 30);
  await t.enter("hello");
  await t.see(/Two things/);
  await t.resize(30, 10);
  await t.enter("for ever");
  await t.see(/Line 35 /);
  await t.press("Escape");
  await t.see(/Cancelled/);
  await t.enter("/sessions");
  await t.see(/Conversations/);
  await t.press("Escape");
  await t.see(/───\n\s*\n───/);
});

tty("what scrolled away stays in the terminal, once", async (open) => {
  await using t = await open({ PARROT_MS: "1" });
  await t.see(/· ask/);
  await t.enter("long");
  await t.see(/Line 199 of a long answer\.\n\n──/);
  const text = await t.text({ all: true });
  for (let i = 0; i < 200; i++) {
    equal(text.split(`Line ${i} of`).length, 2, `line ${i}`);
  }
});

tty("NO_COLOR draws without colours", async (open) => {
  await using t = await open({ NO_COLOR: "1" });
  await t.see(/· ask/);
  await t.enter("fail");
  await t.see(/The server at nowhere is down/);
  ok(!(await t.text({ raw: true })).includes("\x1b[31m"));
});

tty(
  "a window that is closed in the middle of an answer cancels it, and saves what came",
  async (open, dir) => {
    {
      await using t = await open();
      await t.see(/· ask/);
      await t.enter("go on for ever");
      await t.see(/Line 35 of a long answer/);
    }
    const folder = join(dir, ".mm/sessions");
    const saved = await until(async () => {
      const names = [...Deno.readDirSync(folder)].map((e) => e.name);
      const name = names.find((n) => /^\d.*\.json$/.test(n)) ?? "";
      const state = JSON.parse(await Deno.readTextFile(join(folder, name)));
      return state.open === undefined && state;
    }, "a turn that is settled");
    const last = saved.messages.at(-1);
    equal(last?.stopReason, "cancelled");
    match(last?.content ?? "", /Line 35 of a long answer/);
  },
);

// What is entered while a turn still runs would be part of it.
function idle(wanted: RegExp): RegExp {
  return new RegExp(`${wanted.source}(?![^]*esc to cancel)`);
}

type Open = (
  env?: Record<string, string>,
  size?: { columns: number; rows: number },
) => Promise<Terminal>;

function tty(name: string, run: (open: Open, dir: string) => Promise<void>) {
  const title = NO_TMUX ? `tty: ${name} (skipped: ${NO_TMUX})` : `tty: ${name}`;
  Deno.test(title, { ignore: NO_TMUX !== undefined }, async () => {
    await using project = await TempDir.make();
    await using state = await TempDir.make();
    const cwd = project.path;
    await Deno.writeTextFile(join(cwd, "README.md"), "# It\n");
    const driver = fileURLToPath(new URL("driver.ts", import.meta.url));
    const command = `"${Deno.execPath()}" run -A --no-check "${driver}"`;
    await run((env, size) =>
      Terminal.start(command, {
        cwd,
        env: { XDG_STATE_HOME: state.path, ...env },
        ...size,
      }), cwd);
  });
}

async function isWhole(t: Terminal): Promise<void> {
  equal(await t.show("cursor_flag"), "1");
  await t.enter(
    "stty -a | tr ' ;' '\\n\\n' | grep -E '^-?(icanon|echo|isig)$'",
  );
  const text = await t.see(/isig\n/);
  doesNotMatch(text, /-(icanon|echo|isig)\n/);
  await t.enter("cat -v");
  await t.paste("pasted");
  await t.press("Enter");
  doesNotMatch(await t.see(/pasted\npasted/), /200~/);
}

async function pid(t: Terminal): Promise<number> {
  const shell = await t.show("pane_pid");
  const path = `/proc/${shell}/task/${shell}/children`;
  const [child] = (await Deno.readTextFile(path)).trim().split(" ");
  ok(child);
  return Number(child);
}
