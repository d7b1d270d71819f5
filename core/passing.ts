import type { Live, Update } from "./event.ts";

/** A call that has no result yet, as it was told live. */
interface RunningCall {
  readonly started: Live & { readonly type: "tool_started" };
  readonly running: boolean;
  readonly output: string;
}

/**
 * What a session shows that is in no record yet: the answer that is being
 * written and the calls that run. Who comes late is told it, so that what is
 * told live afterwards has no hole.
 */
export class Passing {
  #messageId = "";
  #text = "";
  #thought = "";
  readonly #calls = new Map<string, RunningCall>();

  /** Takes note of an update; all of a session's must come by. */
  hear(update: Update): void {
    switch (update.type) {
      case "text":
        this.#begin(update.messageId);
        this.#text += update.text;
        return;
      case "thought":
        this.#begin(update.messageId);
        this.#thought += update.text;
        return;
      case "tool_started":
        return this.#start(update);
      case "tool_running":
        return this.#change(update.toolCallId, () => ({ running: true }));
      case "tool_output":
        return this.#change(update.toolCallId, ({ output }) => ({
          output: tail(output + update.text),
        }));
      case "message":
        if (update.message.role === "assistant") this.#begin("");
        if (update.message.role !== "tool") return;
        this.#calls.delete(update.message.toolCallId);
        return;
      case "settled":
      case "withdrawn":
      case "rotated":
        return this.#clear();
      case "running":
        if (!update.running) this.#clear();
        return;
    }
  }

  /** All of it, as the updates that would have told it. */
  *updates(): Generator<Live> {
    const messageId = this.#messageId;
    if (this.#thought) {
      yield { type: "thought", messageId, text: this.#thought };
    }
    if (this.#text) yield { type: "text", messageId, text: this.#text };
    for (const [toolCallId, { started, running, output }] of this.#calls) {
      yield started;
      if (running) yield { type: "tool_running", toolCallId };
      if (output) yield { type: "tool_output", toolCallId, text: output };
    }
  }

  // An answer that was begun and given up (the model is asked again) is no more.
  #begin(messageId: string): void {
    if (this.#messageId === messageId) return;
    this.#messageId = messageId;
    this.#text = "";
    this.#thought = "";
  }

  #start(started: RunningCall["started"]): void {
    const known = this.#calls.get(started.call.id);
    this.#calls.set(started.call.id, {
      running: false,
      output: "",
      ...known,
      started,
    });
  }

  #change(
    id: string,
    change: (call: RunningCall) => Partial<RunningCall>,
  ): void {
    const call = this.#calls.get(id);
    if (call) this.#calls.set(id, { ...call, ...change(call) });
  }

  #clear(): void {
    this.#begin("");
    this.#calls.clear();
  }
}

/** How much of what a call printed is told again, in UTF-16 units. */
const MAX_OUTPUT = 64 * 1024;

// Cut with some slack, so that a chatty call is not copied for every line.
function tail(output: string): string {
  if (output.length <= 2 * MAX_OUTPUT) return output;
  const cut = output.slice(-MAX_OUTPUT);
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
}
