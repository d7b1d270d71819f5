import { at, numberAt, textAt, tryParse } from "../../core/json.ts";
import { parseArguments } from "../../core/http/prompt.ts";
import { randomHex } from "../../core/id.ts";
import type { ToolCall } from "../../core/message.ts";

interface Draft {
  id: string;
  name: string;
  text: string;
}

/**
 * Puts tool calls together from their pieces. Pieces belong by `index`; where
 * a server leaves that out or repeats it, the id and the name decide.
 */
export class Calls {
  #drafts: Draft[] = [];
  #byIndex = new Map<number, Draft>();

  /** Takes one element of `tool_calls`. */
  add(piece: unknown): void {
    const id = textAt(piece, "id");
    const name = textAt(piece, "function", "name");
    const args = at(piece, "function", "arguments");
    const draft = this.#find(numberAt(piece, "index"), id, name);
    draft.id ||= id;
    if (name !== draft.name) draft.name += name;
    if (typeof args === "string") draft.text += args;
    else if (args !== undefined) draft.text = JSON.stringify(args);
  }

  get length(): number {
    return this.#drafts.length;
  }

  /** True when a call has no name, so nobody could run it. */
  get nameless(): boolean {
    return this.#drafts.some(({ name }) => name === "");
  }

  /** The calls; an id that is missing, or `taken` already, is replaced. */
  finish(taken: ReadonlySet<string>): ToolCall[] {
    const used = new Set(taken);
    return this.#drafts.map(({ id, name, text }) => {
      const own = id === "" || used.has(id) ? `call_${randomHex(12)}` : id;
      used.add(own);
      return { id: own, name, arguments: parseArguments(text) };
    });
  }

  #find(index: number | undefined, id: string, name: string): Draft {
    const known = index === undefined
      ? this.#unindexed(id, name)
      : this.#byIndex.get(index);
    const other = known && id !== "" && known.id !== "" && id !== known.id;
    if (known && !(other && name !== "")) return known;
    const draft = { id: "", name: "", text: "" };
    this.#drafts.push(draft);
    if (index !== undefined) this.#byIndex.set(index, draft);
    return draft;
  }

  #unindexed(id: string, name: string): Draft | undefined {
    if (id !== "") {
      const same = this.#drafts.find((draft) => draft.id === id);
      if (same || name !== "") return same;
    }
    const last = this.#drafts.at(-1);
    // A name where one is whole already starts the next call.
    const whole = last && last.name !== "" &&
      tryParse(last.text) !== undefined;
    return name !== "" && whole ? undefined : last;
  }
}
