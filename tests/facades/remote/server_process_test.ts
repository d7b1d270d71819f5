import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent } from "../../../core/agent.ts";
import type { SessionEvent } from "../../../core/event.ts";
import { isPrompt } from "../../../core/fold.ts";
import { foldAll } from "../../../core/fold_all.ts";
import { JsonStore } from "../../../plugins/json/json_store.ts";
import { command, mm, startMm } from "../../mm.ts";
import { ScriptedModel } from "../../scripted_model.ts";
import { MmServe } from "./mm_serve.ts";
import { RawClient } from "./raw_client.ts";
import { rawHttp, status } from "./raw_http.ts";
import { until } from "../../until.ts";
import { TOKEN } from "./server_lab.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("mm serve tells where it is, and takes the note away when it ends", async () => {
  await using dir = await TempDir.make();
  await using served = await MmServe.start(dir.path);
  const { url, token, pid } = served.note;
  assert.equal(served.line, `${url}#token=${token}\n`);
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(pid, served.process.pid);
  const file = join(dir.path, ".mm/serve.json");
  const { mode } = await Deno.stat(file);
  assert.equal(mode! & 0o777, 0o600);
  assert.equal((await Deno.stat(join(dir.path, ".mm"))).mode! & 0o777, 0o700);
  const client = await served.client();
  assert.equal(await served.end("SIGTERM"), 143);
  assert.equal((await client.closed).code, 1001);
  await assert.rejects(Deno.stat(file), Deno.errors.NotFound);
  assert.match(await served.stderr, /demo model/);
});

Deno.test("of several that start at once in a project, one serves", async () => {
  await using dir = await TempDir.make();
  const starts = await Promise.allSettled(
    Array.from({ length: 3 }, () => MmServe.start(dir.path)),
  );
  const served = starts.flatMap((s) => s.status === "fulfilled" ? s.value : []);
  await Promise.all(served.map((s) => s.end("SIGTERM")));
  assert.equal(served.length, 1);
  for (const start of starts) {
    if (start.status === "fulfilled") continue;
    assert.match(String(start.reason), /Cannot serve this project twice/);
  }
});

Deno.test("however many came and left, the next one is let in", async () => {
  await using dir = await TempDir.make();
  await using served = await MmServe.start(dir.path);
  const port = Number(new URL(served.note.url).port);
  const request = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  for (let i = 0; i < 550; i += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => rawHttp(port, request)),
    );
    assert(answers.every((answer) => status(answer) === 200), `after ${i}`);
  }
});

Deno.test("a conversation survives kill -9: whoever attaches again sees what the store has", async () => {
  await using dir = await TempDir.make();
  let session = "";
  {
    await using served = await MmServe.start(dir.path);
    const client = await served.client();
    session = await client.begin();
    await client.do({ type: "prompt", session, content: "hello" }, "m-1");
    await client.idle();
    const from = client.told.length;
    client.send({
      id: "m-2",
      type: "prompt",
      session,
      content: "count to 500",
    });
    await client.event((e) => e.type === "text", from);
    await served.end("SIGKILL");
    await client.closed;
  }
  await using served = await MmServe.start(dir.path);
  const client = await served.client();
  await same(client, session, dir.path);
  const { seq } = await client.do(
    { type: "prompt", session, content: "hello" },
    "m-1",
  );
  assert(seq !== undefined, "it is known, and not asked again");
  await same(client, session, dir.path);
  await client.do({ type: "prompt", session, content: "hello again" });
  await client.idle();
  await same(client, session, dir.path);
  await client.close();
});

Deno.test("Ctrl-C cancels what runs, keeps what it said, and tells the clients", async () => {
  await using dir = await TempDir.make();
  await using served = await MmServe.start(dir.path);
  const client = await served.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "count to 500" });
  await client.event((e) => e.type === "text" && /20/.test(e.text));
  assert.equal(await served.end("SIGINT"), 130);
  assert.equal((await client.closed).code, 1001);
  const store = new JsonStore(join(dir.path, ".mm/sessions"));
  const state = await store.read(session);
  assert.equal(state?.open, undefined);
  assert.match(JSON.stringify(state?.messages.at(-1)), /"cancelled"/);
});

Deno.test("a second server in a project is told of the first, and a dead one's note is no obstacle", async () => {
  await using dir = await TempDir.make();
  {
    await using first = await MmServe.start(dir.path);
    const { url, token } = first.note;
    const second = await mm(["serve", "--port", "0"], { cwd: dir.path });
    assert.equal(second.code, 1);
    assert.equal(second.stdout, "");
    assert(second.stderr.includes(`${url}#token=${token}`), second.stderr);
    assert.match(second.stderr, /Cannot serve this project twice: process \d+/);
    await first.end("SIGKILL");
    await Deno.stat(join(dir.path, ".mm/serve.json")); // nobody took it away
  }
  await using again = await MmServe.start(dir.path);
  const client = await again.client();
  await client.close();
});

Deno.test("of several that start at once over a dead server's note, one serves", async () => {
  await using dir = await TempDir.make();
  const note = join(dir.path, ".mm/serve.json");
  await Deno.mkdir(join(dir.path, ".mm"));
  for (let round = 0; round < 3; round++) {
    await Deno.writeTextFile(
      note,
      '{"pid":1,"url":"http://127.0.0.1:1/","token":"dead"}',
    );
    const takers = [1, 2, 3, 4].map(() => new NoteTaker(note));
    for (const taker of takers) assert.equal(await taker.heard(), "ready\n");
    await Promise.all(takers.map((taker) => taker.say("go")));
    const heard = await Promise.all(takers.map((taker) => taker.heard()));
    assert.deepEqual(heard.filter((line) => line === "serves\n").length, 1);
    await Promise.all(takers.map((taker) => taker.end()));
    assert(!exists(note), "nobody took the note away");
  }
});

Deno.test("a note that came with the folder is no server: nobody asks it, and it is overwritten", async () => {
  await using dir = await TempDir.make();
  const path = join(dir.path, ".mm/serve.json");
  await Deno.mkdir(join(dir.path, ".mm"));
  using strange = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = strange.addr as Deno.NetAddr;
  const url = `http://127.0.0.1:${port}/`;
  const note = { pid: Deno.pid, url, token: TOKEN, version: "0" };
  await Deno.writeTextFile(path, JSON.stringify(note), { mode: 0o644 });
  await using served = await MmServe.start(dir.path);
  assert.notEqual(served.note.url, url);
});

Deno.test("a port that is taken, and flags that cannot be, are told in one line", async () => {
  await using dir = await TempDir.make();
  await using other = await TempDir.make();
  await using served = await MmServe.start(other.path);
  const port = new URL(served.note.url).port;
  const cases: [string[], Record<string, string>, RegExp, number][] = [
    [["--port", port], {}, /the port is taken; choose another by --port/, 1],
    [["--port", "x"], {}, /Cannot use --port "x"/, 2],
    [["--port", "70000"], {}, /Cannot use --port/, 2],
    [["--host", "0.0.0.0"], {}, /without TLS.*--insecure/, 2],
    [["--name", "bad name"], {}, /Cannot be called "bad name"/, 2],
    [["--cert", "c.pem"], {}, /give both --cert and --key/, 2],
    [["--cert", "c.pem", "--key", "k.pem"], {}, /Cannot read "c\.pem"/, 2],
    [[], { MM_TOKEN: "short" }, /MM_TOKEN: it needs 16 to 256/, 2],
    [["--host", "203.0.113.7", "--insecure"], {}, /no such address/, 1],
  ];
  for (const [args, env, words, code] of cases) {
    const outcome = await mm(["serve", ...args], { cwd: dir.path, env });
    assert.match(outcome.stderr, words, args.join(" "));
    assert.equal(outcome.code, code, args.join(" "));
    assert.doesNotMatch(outcome.stderr, /short\b|bug in mm/);
  }
});

Deno.test("MM_TOKEN is the token, and --json tells all as JSON", async () => {
  await using dir = await TempDir.make();
  await using served = await MmServe.start(dir.path, {
    args: ["--json"],
    env: { MM_TOKEN: TOKEN },
  });
  const { url, token, pid } = JSON.parse(served.line);
  assert.deepEqual(
    { url, token, pid },
    { url: served.note.url, token: TOKEN, pid: served.note.pid },
  );
  const client = await served.client();
  await client.close();
});

Deno.test({
  name: "an address that cannot be told is told as that",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using dir = await TempDir.make();
    const full = 'exec "$0" "$@" serve --port 0 > /dev/full';
    const { code, stderr } = await new Deno.Command("sh", {
      args: ["-c", full, ...await command()],
      cwd: dir.path,
      env: { HOME: dir.path },
      stdin: "null",
    }).output();
    const told = new TextDecoder().decode(stderr);
    assert.match(told, /^Cannot tell where the server is: the disk is full/m);
    assert.equal(code, 1);
  },
});

Deno.test("--open hands the browser an address that is good once, and does not wait for it", async () => {
  await using dir = await TempDir.make();
  const opened = join(dir.path, "opened");
  const bin = join(dir.path, "bin");
  await Deno.mkdir(bin);
  await Deno.writeTextFile(
    join(bin, "xdg-open"),
    `#!/bin/sh\nprintf %s "$1" > ${opened}.new\nmv ${opened}.new ${opened}\nexec sleep 3\n`,
    { mode: 0o755 },
  );
  await using served = await MmServe.start(dir.path, {
    args: ["--open"],
    env: { PATH: `${bin}:${Deno.env.get("PATH")}` },
  });
  await until(() => exists(opened), "the browser");
  const { url, token } = served.note;
  const address = await Deno.readTextFile(opened);
  const [, ticket = ""] = address.split("#token=");
  assert(address.startsWith(`${url}#token=`) && ticket !== token);
  const socket = `${url.replace(/^http/, "ws")}ws`;
  const browser = new RawClient(socket, ticket);
  assert.equal((await browser.next("hello")).token, token);
  await browser.close();
  const stranger = new RawClient(socket, ticket);
  assert.equal((await stranger.closed).code, 4401);
  assert.equal(await served.end("SIGTERM"), 143);
});

Deno.test("agent.yaml says how much of a record is kept, and on which port it is served", async () => {
  await using dir = await TempDir.make();
  await Deno.writeTextFile(
    join(dir.path, "agent.yaml"),
    "model: demo\nserve:\n  replay: { events: 3 }\n",
  );
  await using served = await MmServe.start(dir.path);
  const client = await served.client();
  const session = await client.begin();
  for (const content of ["hello", "hello again"]) {
    const from = client.told.length;
    await client.do({ type: "prompt", session, content });
    await client.idle(from);
  }
  const [slice] = await client.attach(session);
  assert.equal(slice?.truncated, true);
  assert.equal(slice?.events.length, 4);
  await client.close();
  await Deno.writeTextFile(join(dir.path, "agent.yaml"), "serve:\n  prot: 1\n");
  const wrong = await mm(["serve"], { cwd: dir.path });
  assert.match(
    wrong.stderr,
    /agent\.yaml:2: serve\.prot: .*did you mean "port"/,
  );
});

Deno.test("mm serve --acp: an editor and a client share a session in one process", async () => {
  await using dir = await TempDir.make();
  const process = await startMm(["serve", "--port", "0", "--acp"], {
    cwd: dir.path,
    stdin: "",
  });
  const stderr = new Response(process.stderr).text();
  const editor = new Editor(process);
  const cwd = await Deno.realPath(dir.path);
  await editor.ask("initialize", { protocolVersion: 1 });
  const { sessionId } = await editor.ask("session/new", {
    cwd,
    mcpServers: [],
  }) as { sessionId: string };
  const file = join(dir.path, ".mm/serve.json");
  await until(() => exists(file), "its note");
  const note = JSON.parse(await Deno.readTextFile(file));
  const { RawClient } = await import("./raw_client.ts");
  const phone = new RawClient(
    `${note.url.replace(/^http/, "ws")}ws`,
    note.token,
  );
  await phone.next("hello");
  await phone.attach(sessionId);
  const prompt = [{ type: "text", text: "hello" }];
  await editor.ask("session/prompt", { sessionId, prompt });
  await phone.idle();
  assert(phone.events().some((e) => e.type === "text"));
  const from = phone.told.length;
  await phone.do({
    type: "prompt",
    session: sessionId,
    content: "think about pears",
  });
  await phone.idle(from);
  await editor.heard(/think about pears/);
  await same(phone, sessionId, dir.path);
  await editor.leave();
  assert.equal((await phone.closed).code, 1001);
  assert.equal((await process.status).code, 0);
  assert.match(await stderr, new RegExp(`${note.url}#token=`));
  assert(editor.lines.every((line) => JSON.parse(line).jsonrpc === "2.0"));
  assert(!exists(file), "nobody took the note away");
});

class NoteTaker {
  readonly #process: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;

  constructor(note: string) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--quiet", TAKER, note],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#stdin = this.#process.stdin.getWriter();
    this.#lines = this.#process.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
  }

  async say(word: string): Promise<void> {
    await this.#stdin.write(new TextEncoder().encode(word));
  }

  async heard(): Promise<string | undefined> {
    return (await this.#lines.read()).value;
  }

  async end(): Promise<void> {
    await this.#stdin.close();
    while (!(await this.#lines.read()).done);
    await this.#process.status;
  }
}

const TAKER = fileURLToPath(new URL("note_taker.ts", import.meta.url));

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** What a client is told of a session is what the store has of it, as it would be resumed. */
async function same(
  client: RawClient,
  session: string,
  dir: string,
): Promise<void> {
  const replay = await client.attach(session);
  const events = replay.flatMap((slice) => slice.events)
    .map(({ event }) => event).filter((e) => "seq" in e) as SessionEvent[];
  await using agent = new Agent({
    cwd: dir,
    model: new ScriptedModel([]),
    store: new JsonStore(join(dir, ".mm/sessions")),
  });
  const state = await agent.read(session);
  assert.deepEqual(
    foldAll(events).messages,
    state!.messages.filter((m) => !isPrompt(m)),
  );
}

/** The least there is of an editor. */
class Editor {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly lines: string[] = [];
  readonly #reading: Promise<void>;
  #wake = Promise.withResolvers<void>();
  #ids = 0;

  constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#input = process.stdin.getWriter();
    this.#reading = this.#read();
  }

  async ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#ids;
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
    for (;;) {
      for (const line of this.lines) {
        const message = JSON.parse(line);
        if (message.id !== id || message.method) continue;
        assert(message.result, line);
        return message.result;
      }
      await this.#wake.promise;
    }
  }

  async heard(words: RegExp): Promise<void> {
    while (!this.lines.some((line) => words.test(line))) {
      await this.#wake.promise;
    }
  }

  async leave(): Promise<void> {
    await this.#input.close();
    await this.#reading;
  }

  async #read(): Promise<void> {
    let rest = "";
    const text = this.#process.stdout.pipeThrough(new TextDecoderStream());
    for await (const piece of text) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      this.lines.push(...lines.filter(Boolean));
      this.#wake.resolve();
      this.#wake = Promise.withResolvers<void>();
    }
  }
}
