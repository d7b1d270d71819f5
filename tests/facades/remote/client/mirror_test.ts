import assert from "node:assert/strict";
import fc from "fast-check";
import { isPrompt } from "../../../../core/fold.ts";
import type { StoredMessage } from "../../../../core/message.ts";
import { replay, type ReplayItem } from "../../../../core/replay.ts";
import { items } from "../../../../facades/remote/client/items.ts";
import { Mirror } from "../../../../facades/remote/client/mirror.ts";
import { Parts } from "../../../../facades/remote/client/parts.ts";
import { readMessage } from "../../../../facades/remote/client/read_message.ts";
import type { View } from "../../../../facades/remote/client/view.ts";
import type { ServerMessage } from "../../../../facades/remote/wire.ts";
import { type Happening, happenings, Teller } from "./histories.ts";
import { ModelRecord, type TestRecord } from "./model_record.ts";
import { RealRecord } from "./real_record.ts";

const ID = "20260101-000000-00000000";
const RUNS = Number(Deno.env.get("FC_RUNS") ?? 300);

/** A client on a wire that may lose everything at any frame. */
class Wire {
  readonly record: TestRecord;
  readonly mirror = new Mirror({ session: ID });
  #parts = new Parts();
  #way: string[] = [];
  #up = false;

  constructor(record: TestRecord) {
    this.record = record;
  }

  told(frames: readonly string[]): void {
    if (this.#up) this.#way.push(...frames);
  }

  /** Lets `n` frames arrive. */
  arrive(n: number): void {
    for (; n > 0 && this.#way.length > 0; n--) {
      const frame = this.#way.shift() ?? "";
      const message = this.#read(frame);
      if (message && this.mirror.receive(message)) this.#ask();
    }
  }

  lose(): void {
    this.#way.shift();
  }

  /** The next frame comes twice. */
  repeat(): void {
    this.#way.unshift(...this.#way.slice(0, 1));
  }

  /** The next frame but one comes first. */
  swap(): void {
    this.#way.unshift(...this.#way.splice(1, 1));
  }

  cut(): void {
    this.#up = false;
    this.#way = [];
    this.#parts = new Parts();
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
    this.#way.push(...this.record.attach(this.mirror.position ?? {}));
  }

  #read(frame: string): ServerMessage | undefined {
    const message = readMessage(frame);
    assert.ok(message, frame);
    if (message.type !== "part") return message;
    const whole = this.#parts.add(message);
    return whole === undefined
      ? undefined
      : readMessage(whole) as ServerMessage;
  }
}

type Step =
  | { readonly do: "happen"; readonly what: Happening }
  | { readonly do: "arrive"; readonly n: number }
  | { readonly do: "cut" | "connect" | "lose" | "repeat" | "swap" | "restart" };

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
      { do: "repeat" },
      { do: "swap" },
      { do: "restart" },
    ),
  ),
  { maxLength: 60, size: "max" },
);

const bounds = fc.record({
  events: fc.constantFrom(4, 20, 1_000),
  bytes: fc.constantFrom(600, 4_000, 300_000, 10_000_000),
});

Deno.test("a mirror ends as the server's record, whatever was lost on the way", () => {
  fc.assert(
    fc.property(steps, bounds, (script, bounds) => {
      play(script, new RealRecord(ID, bounds));
    }),
    { numRuns: RUNS },
  );
});

Deno.test("a mirror ends as a record of small slices, cut anywhere", () => {
  fc.assert(
    fc.property(
      steps,
      bounds,
      fc.integer({ min: 1, max: 5 }),
      (script, bounds, size) => {
        play(script, new ModelRecord(ID, bounds, size));
      },
    ),
    { numRuns: RUNS },
  );
});

function play(script: readonly Step[], record: TestRecord): void {
  const wire = new Wire(record);
  const teller = new Teller((update) => wire.told(record.push(update)));
  teller.record({ type: "opened", cwd: "/project", model: "m" });
  for (const step of script) run(step, wire, teller);
  wire.finish();
  isTheSame(wire);
}

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
  const { errors, model: _, truncated, messages: inMine, ...rest } = state;
  const messages = inMine.filter((m) => !isPrompt(m));
  const whole = !truncated;
  const { messages: inAll, errors: failures, ...facts } = server;
  const all = inAll.filter((m) => !isPrompt(m)) // which is not for clients
    .map((m) => messages.find((mine) => standsFor(mine, m)) ?? m);
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
    const mine = new Map(messages.map((m) => [m.seq, m]));
    for (const message of all) {
      if (message.role === "system" || message.seq < record.from) continue;
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

/** It is the same message, which no record of that size has room for. */
function standsFor(mine: StoredMessage, theirs: StoredMessage): boolean {
  return mine.seq === theirs.seq && mine.id === theirs.id &&
    mine.role === theirs.role &&
    /^\[.*too long for other screens/.test(String(mine.content));
}
