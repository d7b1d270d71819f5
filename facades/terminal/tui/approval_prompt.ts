import {
  type Component,
  decodeKittyPrintable,
  Input,
  matchesKey,
} from "@mariozechner/pi-tui";
import type { ApprovalRequest, Decision } from "../../../core/approval.ts";
import type { ToolCall } from "../../../core/message.ts";
import { oneLine, reveal } from "../sanitize.ts";
import { clip, wrap } from "./clip.ts";
import { LongText } from "./long_text.ts";
import type { Theme } from "./theme.ts";

/** Asks for one key: may this run? */
export class ApprovalPrompt implements Component {
  readonly #request: ApprovalRequest;
  readonly #theme: Theme;
  readonly #decide: (decision: Decision) => void;
  readonly #what: LongText;
  #reason: Input | undefined;
  /** How many more wait behind this one. */
  more = 0;

  constructor(
    request: ApprovalRequest,
    theme: Theme,
    decide: (decision: Decision) => void,
  ) {
    this.#request = request;
    this.#theme = theme;
    this.#decide = decide;
    const { title, call, diffs } = request;
    const text = reveal(callText(call));
    // A title that says it all need not be followed by the same again; what changes is on its card.
    const told = title.endsWith(text) || diffs.length > 0;
    this.#what = new LongText(told ? "" : text);
  }

  get focused(): boolean {
    return this.#reason?.focused ?? false;
  }

  set focused(focused: boolean) {
    if (this.#reason) this.#reason.focused = focused;
  }

  /** A reason is being typed: keys are text. */
  get typing(): boolean {
    return this.#reason !== undefined;
  }

  handleInput(data: string): void {
    if (this.#reason) return this.#typeReason(this.#reason, data);
    if (this.#what.scroll(data)) return;
    const key = (decodeKittyPrintable(data) ?? data).toLowerCase();
    if (key === "y") this.#decide({ outcome: "allow_once" });
    if (key === "n") this.#decide({ outcome: "reject" });
    if (key === "a" && this.#request.scope !== undefined) {
      this.#decide({ outcome: "allow_always" });
    }
    if (key === "r") {
      this.#reason = new Input();
      this.#reason.focused = true;
    }
  }

  render(width: number): string[] {
    const { title, reason } = this.#request;
    const { warn, bold, dim } = this.#theme;
    const more = this.more > 0 ? dim(` (${this.more} more after it)`) : "";
    return [
      dim("─".repeat(width)),
      ...wrap(`${bold(`Allow: ${oneLine(title)}`)}${more}`, width, [
        `${warn("?")} `,
        "  ",
      ]),
      ...reason ? wrap(reveal(reason), width, ["  ", "  "]).map(dim) : [],
      ...this.#what.render(width, dim),
      ...this.#reason
        ? this.#reasonLines(this.#reason, width)
        : this.#keys(width),
      dim("─".repeat(width)),
    ];
  }

  invalidate(): void {}

  #keys(width: number): string[] {
    const { scope } = this.#request;
    const { dim } = this.#theme;
    const key = (name: string, what: string) =>
      `${this.#theme.accent(name)} ${dim(what)}`;
    const keys = [
      key("y", "once"),
      key("n", "deny"),
      key("r", "deny with a reason"),
      key("esc", "cancel"),
      ...this.#what.isCut ? [key("↑↓", "read the rest")] : [],
    ];
    return [
      ...wrap(keys.join(dim(" · ")), width, ["  ", "  "]),
      ...scope === undefined
        ? []
        : wrap(key("a", `always in this session: ${reveal(scope)}`), width, [
          "  ",
          "    ",
        ]),
    ];
  }

  #reasonLines(input: Input, width: number): string[] {
    return [
      this.#theme.dim(clip("  Why not? enter sends it, esc goes back", width)),
      ...input.render(width),
    ];
  }

  #typeReason(input: Input, data: string): void {
    if (matchesKey(data, "escape")) {
      this.#reason = undefined;
    } else if (matchesKey(data, "enter")) {
      const reason = input.getValue().trim();
      this.#decide({ outcome: "reject", ...(reason && { reason }) });
    } else {
      input.handleInput(data);
    }
  }
}

function callText({ arguments: input }: ToolCall): string {
  if (typeof input === "string") return input;
  const { command } = (input ?? {}) as { command?: unknown };
  if (typeof command === "string") return command;
  return JSON.stringify(input, null, 2) ?? "";
}
