import { doesNotMatch, strictEqual as equal } from "node:assert";
import { Agent } from "../../../../core/agent.ts";
import { MemoryStore } from "../../../../core/memory_store.ts";
import { command } from "../../../mm.ts";
import { Parrot, parrotTools } from "../../terminal/parrot.ts";
import { NO_TMUX, Terminal } from "../../terminal/tmux.ts";
import { connect, serve, TOKEN, until } from "./lab.ts";
import { TempDir } from "../../../temp_dir.ts";

tty(
  "an attached terminal shows what is asked, approved and steered anywhere",
  async (open) => {
    await using lab = await Lab.start();
    await using one = await open(lab);
    await one.enter("edit a.ts");
    await one.see(/\? Allow: Edit a\.ts/);
    const { items: [session] } = await lab.agent.list();
    await using two = await open(lab, session?.id);
    await two.see(/› edit a\.ts[^]*\? Allow: Edit a\.ts/);
    await two.see(/2 screens/);
    await two.answer("y");
    await one.see(/● Edit a\.ts \+2 -1\n[^]*Edited a\.ts/);
    doesNotMatch(await one.text(), /\? Allow/);
    await one.enter("go on for ever");
    await two.see(/Line 35 of a long answer/);
    await two.press("Escape");
    await one.see(/Cancelled\n/);
    await one.enter("hello");
    await two.see(/› hello\n[^]*Two things/);
    await one.press("C-d");
    await one.see(/To continue: mm attach http:\/\/127[^ ]+ \S+\ncode 0/);
  },
);

tty(
  "an attached terminal goes on after the server was started anew, and shows nothing twice",
  async (open) => {
    const store = new Lasting();
    let lab = await Lab.start({ store });
    await using t = await open(lab);
    await t.enter("hello");
    await t.see(/Two things/);
    const { port } = lab;
    await lab[Symbol.asyncDispose]();
    await t.see(/Connection lost: trying again/);
    await t.enter("hello again");
    await t.see(/› hello again/);
    lab = await Lab.start({ store, port });
    const text = await t.see(
      /Connected again\n[^]*› hello again\n[^]*Two things/,
    );
    equal(text.split("› hello\n").length, 2, text);
    equal(text.split("Two things").length, 3, text);
    await t.press("C-d");
    await t.see(/code 0/);
    await lab[Symbol.asyncDispose]();
  },
);

tty(
  "an attached terminal leaves the turn running when it quits",
  async (open) => {
    const end = Promise.withResolvers<void>();
    await using lab = await Lab.start({ end: end.promise });
    const t = await open(lab);
    await t.enter("go on for ever");
    await t.see(/Line 35 of a long answer/);
    await t.press("C-c"); // cancels, as anywhere
    await t.see(/Cancelled\n/);
    await t.enter("and again for ever");
    await t.see(/again for ever[^]*Line 35 of a long answer/, true);
    await t.press("C-d");
    await t.see(/code 0/);
    await t[Symbol.asyncDispose]();
    const { items: [session] } = await lab.agent.list();
    const client = connect(lab);
    await client.attach(session?.id ?? "");
    equal(client.view?.running, true);
    end.resolve();
    await until(client, () => client.view?.state.turns === 2);
    client.close();
  },
);

tty(
  "an attached terminal is told that its conversation was removed, keeps it on the screen, and begins another",
  async (open) => {
    await using lab = await Lab.start();
    await using t = await open(lab);
    await t.enter("hello");
    await t.see(/Two things/);
    const { items: [session] } = await lab.agent.list();
    await lab.agent.remove(session?.id ?? "");
    await t.see(/This conversation was removed/);
    await t.enter("still there?");
    await t.see(/Two things[^]*Cannot find session "[^"]+": it was removed/);
    equal((await lab.agent.list()).items.length, 0);
    await t.enter("/new");
    await t.enter("hello again");
    await t.see(/› hello again\n[^]*Two things/);
    await t.press("C-d");
    await t.see(/code 0/);
  },
);

/** Outlives the agent it was given to. */
class Lasting extends MemoryStore {
  override [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

/** A server in this process. */
class Lab implements AsyncDisposable {
  readonly agent: Agent;
  readonly port: number;
  readonly #server: AsyncDisposable;

  private constructor(
    agent: Agent,
    server: AsyncDisposable & { port: number },
  ) {
    this.agent = agent;
    this.#server = server;
    this.port = server.port;
  }

  static async start(
    { store = new MemoryStore(), port = 0, end }: {
      readonly store?: MemoryStore;
      readonly port?: number;
      /** Of what goes on for ever. */
      readonly end?: Promise<void>;
    } = {},
  ): Promise<Lab> {
    const agent = new Agent({
      cwd: Deno.cwd(),
      store,
      model: new Parrot(4, end),
      bundles: [{ tools: parrotTools }],
    });
    return new Lab(agent, await serve(agent, { port }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.agent[Symbol.asyncDispose]();
  }
}

type Open = (lab: Lab, session?: string) => Promise<Terminal>;

function tty(name: string, run: (open: Open) => Promise<void>): void {
  const title = NO_TMUX ? `tty: ${name} (skipped: ${NO_TMUX})` : `tty: ${name}`;
  Deno.test(title, { ignore: NO_TMUX !== undefined }, async () => {
    await using dir = await TempDir.make();
    const cwd = dir.path;
    const program = (await command()).map((word) => `"${word}"`).join(" ");
    await run(async ({ port }, session = "") => {
      const terminal = await Terminal.start(
        `${program} attach "http://127.0.0.1:${port}/#token=${TOKEN}" ${session}`,
        { cwd, env: { XDG_STATE_HOME: cwd }, columns: 100 },
      );
      await terminal.see(/parrot · /);
      return terminal;
    });
  });
}
