import type { Agent } from "../../../../core/agent.ts";
import type { SessionState } from "../../../../core/fold.ts";
import { contentText } from "../../../../core/message.ts";
import { type FacadeDriver, facadeSuite } from "../../../facade_suite.ts";
import { command } from "../../../mm.ts";
import type { ScriptedModel } from "../../../scripted_model.ts";
import { until } from "../../../until.ts";
import { NO_TMUX, Terminal } from "../../terminal/tmux.ts";
import { close, serve, TOKEN } from "./lab.ts";
import { removeDir, TempDir } from "../../../temp_dir.ts";

if (!NO_TMUX) facadeSuite("a screen attached to a server", screenDriver);

/** A person at `mm attach` on a terminal. */
async function screenDriver(agent: Agent, id = ""): Promise<FacadeDriver> {
  const server = await serve(agent);
  const { path: dir } = await TempDir.make();
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
    const [requests, errors] = [this.#requests, await this.#errors()];
    await this.#terminal.enter(text);
    await until(async () => {
      await this.#approve();
      return this.#requests > requests && !await this.#runs();
    }, () => `the end of "${text}"`);
    const failed = (await this.#errors()).slice(errors.length);
    for (const line of failed) await this.#sees(line);
    await this.shown();
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
    const state = await this.#state();
    const last = state?.messages.findLast((m) => m.role === "assistant");
    return await this.#sees(last ? contentText(last.content) : "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  get #requests(): number {
    return (this.#agent.model as ScriptedModel).requests.length;
  }

  // By the record, and by the screen, which hears of it later.
  async #runs(): Promise<boolean> {
    const [latest] = (await this.#agent.list({ limit: 1 })).items;
    this.id = latest?.id ?? this.id;
    const state = await this.#state();
    if (state?.open !== undefined) return true;
    return (await this.#terminal.text()).includes("esc to cancel");
  }

  async #state(): Promise<SessionState | undefined> {
    return this.id ? await this.#agent.read(this.id) : undefined;
  }

  async #errors(): Promise<readonly string[]> {
    const state = await this.#state();
    return state?.errors.map(({ line }) => line) ?? [];
  }

  async #approve(): Promise<void> {
    if (!(await this.#terminal.text()).includes("? Allow: ")) return;
    await this.#terminal.answer(this.approves === "allow" ? "y" : "n");
    await this.#terminal.see(/^(?![^]*\? Allow: )/);
  }

  #sees(text: string): Promise<string> {
    return this.#terminal.see(new RegExp(escaped(text)), true);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
