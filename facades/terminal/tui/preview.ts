import type { AgentHandle } from "../../../core/handle.ts";
import { errorLine } from "../../../core/error.ts";
import { contentText, firstLine } from "../../../core/message.ts";
import { replay, type ReplayItem } from "../../../core/replay.ts";
import type { Summary } from "../../../core/store.ts";
import { oneLine } from "../sanitize.ts";

/** Larger records are not read just to look at them, in bytes. */
const MAX_BYTES = 4_000_000;
/** Previews that are kept. */
const MAX_KEPT = 30;
/** A selection must last so long before its record is read. */
const PAUSE_MS = 120;

/** The first and last words of conversations, read when they are looked at. */
export class Previews {
  readonly #agent: AgentHandle;
  readonly #changed: () => void;
  readonly #known = new Map<string, readonly string[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(agent: AgentHandle, changed: () => void) {
    this.#agent = agent;
    this.#changed = changed;
  }

  /** What is known of `summary` now; the rest comes with `changed`. */
  of(summary: Summary): readonly string[] {
    if (summary.unreadable !== undefined) return [oneLine(summary.unreadable)];
    if ((summary.bytes ?? 0) > MAX_BYTES) return ["Too large to preview"];
    return this.#known.get(summary.id) ?? ["…"];
  }

  /** The selection is on `summary`. */
  look(summary: Summary | undefined): void {
    this.close();
    if (!summary || this.#known.has(summary.id)) return;
    if (summary.unreadable !== undefined) return;
    if ((summary.bytes ?? 0) > MAX_BYTES) return;
    this.#timer = setTimeout(() => this.#read(summary.id), PAUSE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #read(id: string): Promise<void> {
    this.#keep(id, await linesOf(this.#agent, id));
    this.#changed();
  }

  #keep(id: string, lines: readonly string[]): void {
    this.#known.set(id, lines);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEPT && oldest) this.#known.delete(oldest);
  }
}

async function linesOf(
  agent: AgentHandle,
  id: string,
): Promise<readonly string[]> {
  try {
    const state = await agent.read(id);
    if (!state) return ["It is gone"];
    const lines = [...replay(state)].map(itemLine).filter(Boolean);
    return lines.length > 0 ? lines : ["(empty)"];
  } catch (error) {
    return [oneLine(errorLine(error))];
  }
}

function itemLine(item: ReplayItem): string {
  switch (item.type) {
    case "user":
      return `› ${oneLine(firstLine(contentText(item.content), 300))}`;
    case "assistant":
      return `  ${oneLine(firstLine(item.text, 300))}`;
    case "tool":
      return `  • ${oneLine(item.result.title ?? item.result.name)}`;
    case "summary":
      return "  (summary of earlier turns)";
    default:
      return "";
  }
}
