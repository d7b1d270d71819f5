import type { CommandHost } from "../../../core/command.ts";
import type { AgentHandle, SessionHandle } from "../../../core/handle.ts";
import { saveFile } from "../save_file.ts";
import { KEYS } from "../words.ts";
import type { Transcript } from "./transcript.ts";

/** What the screen does for commands. */
export interface CommandHostInit {
  readonly agent: AgentHandle;
  readonly session: () => SessionHandle;
  readonly signal: AbortSignal;
  readonly transcript: Transcript;
  readonly draw: () => void;
  readonly show: (session: SessionHandle) => Promise<void>;
  readonly browse: (text: string) => Promise<string | undefined>;
  readonly ask: (
    turn: (signal: AbortSignal) => Promise<unknown>,
  ) => Promise<unknown>;
  readonly quit: () => void;
}

/** The command host of the screen. */
export function commandHost(init: CommandHostInit): CommandHost {
  const { agent, session, signal, transcript, draw, show } = init;
  return {
    agent,
    get session() {
      return session();
    },
    signal,
    say(markdown) {
      transcript.say(markdown);
      draw();
    },
    fail(line) {
      transcript.fail(line);
      draw();
    },
    async renew() {
      await show(agent.create());
      transcript.note("A new conversation; the old one is kept");
    },
    show,
    browse: init.browse,
    save: (name, text) => saveFile(agent.cwd, name, text),
    async ask(turn) {
      await init.ask(turn);
    },
    keys: KEYS,
    quit: init.quit,
  };
}
