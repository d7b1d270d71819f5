import type { Agent } from "../../../../core/agent.ts";
import { type FacadeDriver, facadeSuite } from "../../../facade_suite.ts";
import { command } from "../../../mm.ts";
import { NO_TMUX, Terminal } from "../../terminal/tmux.ts";
import { close, serve, TOKEN } from "./lab.ts";
import { removeDir } from "../../../temp_dir.ts";

if (!NO_TMUX) facadeSuite("a screen attached to a server", screenDriver);

/** A person at `mm attach` on a terminal. */
async function screenDriver(agent: Agent, id = ""): Promise<FacadeDriver> {
  const server = await serve(agent);
  const dir = await Deno.makeTempDir();
  const program = (await command()).map((word) => `"${word}"`).join(" ");
  const address = `http://127.0.0.1:${server.port}/#token=${TOKEN}`;
  const terminal = await Terminal.start(
    `${program} attach "${address}" ${id}`,
    { cwd: dir, env: { XDG_STATE_HOME: dir }, columns: 100 },
  );
  await terminal.see(/scripted · /);
  return new ScreenDriver(agent, terminal, async () => {
    await terminal.press("C-d");
    await terminal.see(/code 0/);
    await terminal[Symbol.asyncDispose]();
    await close(server);
    await removeDir(dir);
  });
}

class ScreenDriver implements FacadeDriver {
  approves: "allow" | "deny" = "allow";
  id = "";
  readonly #agent: Agent;
  readonly #terminal: Terminal;
  readonly #close: () => Promise<void>;

  constructor(agent: Agent, terminal: Terminal, close: () => Promise<void>) {
    this.#agent = agent;
    this.#terminal = terminal;
    this.#close = close;
  }

  async ask(text: string): Promise<void> {
    await this.#terminal.enter(text);
    await this.#terminal.see(new RegExp(`› ${escaped(text)}\n`));
    for (let calm = 0; calm < 4;) {
      await sleep(50);
      const screen = await this.#terminal.text();
      calm = screen.includes("esc to cancel") ? 0 : calm + 1;
      if (!screen.includes("? Allow: ")) continue;
      await this.#terminal.answer(this.approves === "allow" ? "y" : "n");
      await this.#terminal.see(/^(?![^]*\? Allow: )/);
    }
    const [latest] = (await this.#agent.list({ limit: 1 })).items;
    this.id = latest?.id ?? this.id;
  }

  async cancel(): Promise<void> {
    await this.#terminal.see(/esc to cancel/);
    await this.#terminal.press("Escape");
  }

  async newConversation(): Promise<void> {
    await this.#terminal.enter("/new");
    await this.#terminal.see(/A new conversation; the old one is kept/);
  }

  async resume(id: string): Promise<void> {
    await this.#terminal.enter(`/resume ${id}`);
    await this.#terminal.see(/Resumed "/);
    this.id = id;
  }

  async shown(): Promise<string> {
    await sleep(150);
    return await this.#terminal.text({ all: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
