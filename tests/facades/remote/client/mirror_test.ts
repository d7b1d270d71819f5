import assert from "node:assert/strict";
import fc from "fast-check";
import { replay, type ReplayItem } from "../../../../core/replay.ts";
import { items } from "../../../../facades/remote/client/items.ts";
import { Mirror } from "../../../../facades/remote/client/mirror.ts";
import { readMessage } from "../../../../facades/remote/client/read_message.ts";
import type { View } from "../../../../facades/remote/client/view.ts";
import type { ServerMessage } from "../../../../facades/remote/wire.ts";
import { type Happening, happenings, Teller } from "./histories.ts";
import { ModelRecord } from "./model_record.ts";

const ID = "20260101-000000-00000000";
const RUNS = Number(Deno.env.get("FC_RUNS") ?? 300);

/** A client on a wire that may lose everything at any frame. */
class Wire {
  readonly record: ModelRecord;
  readonly mirror = new Mirror({ session: ID });
  readonly #size: number;
  #way: ServerMessage[] = [];
  #up = false;

  constructor(record: ModelRecord, size: number) {
    this.record = record;
    this.#size = size;
  }

  told(message: ServerMessage): void {
    if (this.#up) this.#way.push(message);
  }

  /** Lets `n` frames arrive. */
  arrive(n: number): void {
    for (; n > 0 && this.#way.length > 0; n--) {
      const [frame] = this.#way.splice(0, 1);
      const text = JSON.stringify(frame);
      const message = readMessage(text) as ServerMessage;
      assert.ok(message, text);
      if (this.mirror.receive(message)) this.#ask();
    }
  }

  lose(): void {
    this.#way.splice(0, 1);
  }

  cut(): void {
    this.#up = false;
    this.#way = [];
    this.mirror.lost();
  }

  connect(): void {
    if (this.#up) this.cut();
    this.#up = true;
    this.#ask();
  }

  finish(): void {
    if (!this.#up) this.connect();
    this.arrive(Infinity);
    this.connect();
    this.arrive(Infinity);
  }

  #ask(): void {
    this.mirror.asked();
    const { position } = this.mirror;
    this.#way.push(...this.record.attach(position ?? {}, this.#size));
  }
}

type Step =
  | { readonly do: "happen"; readonly what: Happening }
  | { readonly do: "arrive"; readonly n: number }
  | { readonly do: "cut" | "connect" | "lose" | "restart" };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      arbitrary: happenings.map((what): Step => ({ do: "happen", what })),
      weight: 5,
    },
    {
      arbitrary: fc.nat(12).map((n): Step => ({ do: "arrive", n })),
      weight: 4,
    },
    fc.constantFrom<Step[]>(
      { do: "cut" },
      { do: "connect" },
      { do: "connect" },
      { do: "lose" },
      { do: "restart" },
    ),
  ),
  { maxLength: 60, size: "max" },
);

Deno.test("a mirror ends as the server's record, whatever was lost on the way", () => {
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom(4, 20, 1_000),
      fc.constantFrom(600, 4_000, 1_000_000),
      fc.integer({ min: 1, max: 5 }),
      (script, events, bytes, size) => {
        const record = new ModelRecord(ID, { events, bytes });
        const wire = new Wire(record, size);
        const teller = new Teller((update) => wire.told(record.push(update)));
        teller.record({ type: "opened", cwd: "/project", model: "m" });
        for (const step of script) run(step, wire, teller);
        wire.finish();
        isTheSame(wire);
      },
    ),
    { numRuns: RUNS },
  );
});

function run(step: Step, wire: Wire, teller: Teller): void {
  const before = wire.mirror.view;
  switch (step.do) {
    case "happen":
      return step.what(teller);
    case "arrive":
      return wire.arrive(step.n);
    case "restart":
      wire.cut();
      return wire.record.restart();
    default:
      wire[step.do]();
      // What is shown stays as it is until something whole takes its place.
      assert.equal(wire.mirror.view.state, before.state);
  }
}

function isTheSame({ mirror, record }: Wire): void {
  const { state, running, approvals, replaying, partial, tools } = mirror.view;
  const server = record.state;
  assert.equal(replaying, false);
  assert.equal(running, record.running);
  const open = approvals.filter((a) => !a.decision).map((a) => a.request.id);
  assert.deepEqual(
    open,
    record.running ? record.approvals.map((a) => a.id) : [],
  );
  const { messages, errors, model: _, truncated, ...rest } = state;
  const whole = !truncated;
  const { messages: all, errors: failures, ...facts } = server;
  for (const [key, value] of Object.entries(rest)) {
    assert.deepEqual(value, facts[key as keyof typeof facts], key);
  }
  if (whole) {
    assert.deepEqual(messages, all);
    // A server that starts anew tells messages; /errors tells the rest.
    if (errors.length > 0) {
      assert.deepEqual(errors, failures.slice(-errors.length));
    }
  } else {
    assert.ok(record.truncated);
    const kept = record.kept.map((e) => "seq" in e ? e.seq : Infinity);
    const from = kept[1] ?? Infinity; // the opening event is pinned
    const mine = new Map(messages.map((m) => [m.seq, m]));
    for (const message of all) {
      if (message.role === "system" || message.seq < from) continue;
      assert.deepEqual(mine.get(message.seq), message);
      mine.delete(message.seq);
    }
    for (const seq of mine.keys()) {
      assert.ok(
        all.some((m) => m.seq === seq),
        `${seq} is no message any more`,
      );
    }
  }
  const shown = items({ ...mirror.view, pending: [] } as View);
  const recorded = shown.filter((i) =>
    !["note", "running_tool", "approval"].includes(i.type) && !("writing" in i)
  ).map(({ key: _, ...item }) => item as ReplayItem);
  assert.deepEqual(recorded, [...replay(state)]);
  const calls = shown.flatMap((i) =>
    i.type === "running_tool" ? [i.tool.call.id] : []
  );
  assert.deepEqual(calls.toSorted(), tools.map((t) => t.call.id).toSorted());
  assert.equal(new Set(shown.map((i) => i.key)).size, shown.length, "keys");
  assert.equal(
    shown.filter((i) => "writing" in i).length,
    Number(Boolean(partial?.text)) + Number(Boolean(partial?.thought)),
  );
}
