import assert from "node:assert/strict";
import {
  type CommandHost,
  defineCommand,
  dispatch,
  parseCommand,
} from "../../core/command.ts";
import type { Session } from "../../core/session.ts";
import { newId } from "../../core/id.ts";
import { call } from "../scripted_model.ts";
import { lines, type Talk, talk } from "./setup.ts";

/** A host whose methods need their `this`, as a facade's class may. */
class Host implements CommandHost {
  readonly agent;
  session: Session;
  readonly signal = new AbortController().signal;
  readonly said: string[] = [];
  readonly failed: string[] = [];
  readonly saved: [string, string][] = [];
  quits = 0;

  constructor({ agent, session }: Talk) {
    this.agent = agent;
    this.session = session;
    session.subscribe((u) => u.type === "failed" && this.failed.push(u.line));
  }

  say(markdown: string) {
    this.said.push(markdown);
  }

  fail(line: string) {
    this.failed.push(line);
  }

  renew() {
    this.session = this.agent.create();
    return Promise.resolve();
  }

  show(session: Session) {
    this.session = session;
    return Promise.resolve();
  }

  save(name: string, text: string) {
    this.saved.push([name, text]);
    return Promise.resolve(`/tmp/${name}`);
  }

  quit() {
    this.quits++;
  }
}

Deno.test("parseCommand() reads a name and its arguments, all lines of them", () => {
  assert.deepEqual(parseCommand("/new"), { name: "new", args: "" });
  assert.deepEqual(parseCommand("  /rename  a\nb "), {
    name: "rename",
    args: "a\nb",
  });
});

Deno.test("parseCommand() takes no path and no plain text for a command", () => {
  for (
    const input of [
      "/etc/hosts is a file",
      "/",
      "//x",
      "/ new",
      "new",
      "",
      "a /new",
    ]
  ) {
    assert.equal(parseCommand(input), undefined, input);
  }
});

Deno.test("dispatch() of what is no command is false and does nothing", async () => {
  await using t = talk([]);
  const host = new Host(t);
  assert.equal(await dispatch("/etc/hosts is what?", host), false);
  assert.deepEqual([host.said, host.failed], [[], []]);
});

Deno.test("dispatch() of an unknown command names the nearest", async () => {
  await using t = talk([]);
  const host = new Host(t);
  assert.equal(await dispatch("/sesions", host), true);
  assert.equal(await dispatch("/frobnicate", host), true);
  assert.deepEqual(host.failed, [
    "Cannot find command /sesions: did you mean /sessions?",
    "Cannot find command /frobnicate: see /help",
  ]);
});

Deno.test("dispatch() tells what a command throws", async () => {
  const boom = defineCommand({
    name: "boom",
    summary: "Throws",
    run: () => Promise.reject(new Error("Cannot\nboom")),
  });
  await using t = talk([], { bundles: [{ commands: [boom] }] });
  const host = new Host(t);
  assert.equal(await dispatch("/boom", host), true);
  assert.deepEqual(host.failed, ["Cannot boom"]);
});

Deno.test("/help lists what dispatch runs, a plugin's commands too", async () => {
  const hi = defineCommand({ name: "hi", summary: "Greet", run: () => {} });
  await using t = talk([], { bundles: [{ commands: [hi] }] });
  const host = new Host(t);
  await dispatch("/help", host);
  for (const { name } of t.agent.commands) {
    assert.match(host.said[0] ?? "", new RegExp(`\`/${name}[ \`]`));
  }
});

Deno.test("every built-in command works on a host with methods of its own", async () => {
  await using t = talk([
    { toolCalls: [call("look", { text: "x" })] },
    "a",
    new Error("down"),
    "b",
    "the summary",
  ]);
  const host = new Host(t);
  await t.session.prompt("one");
  await t.session.prompt("two");
  for (
    const input of [
      "/retry",
      "/rename mine",
      "/errors",
      "/tools",
      "/model",
      "/export json",
      "/compact",
      "/sessions",
      "/quit",
    ]
  ) {
    await dispatch(input, host);
  }
  assert.deepEqual(host.failed, ["down"]);
  assert.equal(host.quits, 1);
  assert.equal(host.saved[0]?.[0], `${t.session.id}.json`);
  assert.deepEqual(lines(t.session.state).slice(0, 2), [
    "system: the summary",
    "user: two",
  ]);
  assert.match(host.said.join("\n"), /Renamed to "mine"/);
});

Deno.test("/new opens another conversation and /resume goes back, naming its errors", async () => {
  await using t = talk([new Error("down"), "a"]);
  const host = new Host(t);
  await t.session.prompt("one");
  await t.session.prompt("two");
  await dispatch("/new", host);
  assert.notEqual(host.session, t.session);
  await dispatch("/resume", host);
  assert.equal(host.session, t.session);
  assert.equal(
    host.said.at(-1),
    'Resumed "one" · 1 turn · ⚠️ 1 error(s)',
  );
});

Deno.test("/resume that fails is recorded where the user is, as the line shown", async () => {
  await using t = talk(["a"]);
  const host = new Host(t);
  await t.session.prompt("one");
  const id = newId();
  await dispatch(`/resume ${id}`, host);
  const line = `Cannot resume session ${id}: there is no such session`;
  assert.deepEqual(host.failed, [line]);
  assert.deepEqual(
    t.session.state.errors.map((e) => [e.kind, e.line]),
    [["resume", line]],
  );
});

Deno.test("/rename and /retry say why they cannot", async () => {
  await using t = talk([]);
  const host = new Host(t);
  await dispatch("/rename x", host);
  await dispatch("/rename", host);
  await dispatch("/retry", host);
  await dispatch("/export pdf", host);
  assert.deepEqual(host.failed, [
    "Cannot rename: this conversation has no question yet",
    "Cannot rename: give a title, /rename <title>",
    "Nothing to retry: no question failed here",
    'Cannot export as "pdf": choose one of md, html, json',
  ]);
});

Deno.test("/sessions numbers the whole list as /resume counts it, and no part of it", async () => {
  await using t = talk(["a", "b"]);
  const host = new Host(t);
  await t.session.prompt("apple");
  await dispatch("/new", host);
  await host.session.prompt("banana");
  await dispatch("/sessions", host);
  await dispatch("/sessions apple", host);
  const [all = "", some = ""] = host.said;
  assert.match(all, /^- \(this\) `\S+` banana/);
  assert.match(all, /^- 1 `\S+` apple/m);
  assert.match(some, /^- `\S+` apple/);
});
