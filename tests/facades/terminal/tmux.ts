import process from "node:process";
import { until } from "../../until.ts";

/** Why pty tests cannot run here; undefined when they can. */
export const NO_TMUX: string | undefined = await has("tmux", "-V")
  ? undefined
  : "there is no tmux";

/** An Escape and a key that is read with it are one key, Alt: a person leaves so long between them. */
const ESCAPE_MS = 400;

/** Between two keys of one kind; where nothing came of the first, the machine was late. */
const PRESS_MS = 1_000;

/** A question that has just appeared takes no key for a while. */
const DEAD_MS = 500;

/** A program in a terminal of its own, typed at and looked at through tmux. */
export class Terminal implements AsyncDisposable {
  readonly #socket = `mm-test-${Deno.pid}-${crypto.randomUUID().slice(0, 8)}`;

  /** Starts `command` in a shell that stays when it ends and prints `code N`. */
  static async start(
    command: string,
    options: {
      readonly cwd: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly columns?: number;
      readonly rows?: number;
    },
  ): Promise<Terminal> {
    const { cwd, env = {}, columns = 80, rows = 30 } = options;
    const terminal = new Terminal();
    const size = ["-x", String(columns), "-y", String(rows)];
    const vars = Object.entries(env).flatMap(([k, v]) => ["-e", `${k}=${v}`]);
    // The trap runs when the program has ended: the shell outlives it.
    const script =
      `trap exit HUP; trap : INT; ${command}; echo code $?; exec sh`;
    await terminal.#tmux(
      "new-session",
      "-d",
      ...size,
      ...vars,
      "-c",
      cwd,
      script,
    );
    return terminal;
  }

  /** Types text as it is. */
  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", "--", text);
  }

  /** Presses keys by their tmux names: Enter, Escape, C-c, Up. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux("send-keys", "--", ...keys);
    if (keys.at(-1) === "Escape") await sleep(ESCAPE_MS);
  }

  /** Presses a key that counts only soon after the one before, until the screen matches. */
  async pressUntil(key: string, wanted: RegExp): Promise<void> {
    await until(async () => {
      await this.press(key);
      await sleep(PRESS_MS);
      return wanted.test(await this.text());
    }, String(wanted));
  }

  /** Answers a question that has been seen. */
  async answer(key: string): Promise<void> {
    await sleep(DEAD_MS);
    await this.press(key);
  }

  /** Types a line and sends it. */
  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.press("Enter");
  }

  /** Pastes text with the marks of a bracketed paste. */
  async paste(text: string): Promise<void> {
    await this.#tmux("set-buffer", "--", text);
    await this.#tmux("paste-buffer", "-p");
  }

  async resize(columns: number, rows: number): Promise<void> {
    const size = ["-x", String(columns), "-y", String(rows)];
    await this.#tmux("resize-window", ...size);
  }

  /** What is on the screen; with `all`, what scrolled away too; with `raw`, the colours. */
  async text({ all = false, raw = false } = {}): Promise<string> {
    const flags = [...all ? ["-S", "-"] : [], ...raw ? ["-e"] : []];
    return await this.#tmux("capture-pane", "-p", ...flags);
  }

  /** A property of the pane, in tmux's words: cursor_flag, pane_current_command. */
  async show(format: string): Promise<string> {
    return (await this.#tmux("display-message", "-p", `#{${format}}`)).trim();
  }

  /** Waits until the screen matches, and returns it. */
  async see(wanted: RegExp, all = false): Promise<string> {
    let text = "";
    await until(async () => {
      text = await this.text({ all });
      return wanted.test(text);
    }, () => `${wanted} on the screen:\n${text}`);
    return text;
  }

  /** Hangs up, and waits until the program has saved and ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-Number(await this.show("pane_pid")), "SIGHUP");
    } catch {
      return; // it has ended
    }
    await until(async () => !await this.#lives(), "the end of the program");
  }

  #lives(): Promise<boolean> {
    return this.#tmux("has-session").then(() => true, () => false);
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command("tmux", {
      args: ["-L", this.#socket, "-f", "/dev/null", ...args],
      env: { TERM: "xterm-256color", LC_ALL: "C.UTF-8" },
    }).output();
    if (!success) {
      throw new Error(`tmux ${args[0]}: ${new TextDecoder().decode(stderr)}`);
    }
    return new TextDecoder().decode(stdout);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function has(command: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args }).output()).success;
  } catch {
    return false;
  }
}
