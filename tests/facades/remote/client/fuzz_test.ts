import assert from "node:assert/strict";
import fc from "fast-check";
import { items } from "../../../../facades/remote/client/items.ts";
import { Mirror } from "../../../../facades/remote/client/mirror.ts";
import { readMessage } from "../../../../facades/remote/client/read_message.ts";
import type { View } from "../../../../facades/remote/client/view.ts";
import { type Happening, happenings, Teller } from "./histories.ts";
import { ModelRecord } from "./model_record.ts";

const ID = "20260101-000000-00000000";
const RUNS = Number(Deno.env.get("FC_RUNS") ?? 300);

/** The frames of a session from a client's hello on. */
function framesOf(happenings: readonly Happening[]): {
  readonly frames: readonly string[];
  readonly record: ModelRecord;
} {
  const record = new ModelRecord(ID, { events: 1_000, bytes: 1e6 }, 2);
  const frames: string[] = [];
  const teller = new Teller((update) => frames.push(...record.push(update)));
  teller.record({ type: "opened", cwd: "/project", model: "m" });
  frames.splice(0, 1, ...record.attach({}));
  for (const happening of happenings) happening(teller);
  const state = { type: "state", session: ID, state: record.info };
  return { frames: [...frames, JSON.stringify(state)], record };
}

function receive(mirror: Mirror, frame: string): void {
  const message = readMessage(frame);
  if (!message || message.type === "part") return;
  if (mirror.receive(message)) mirror.asked();
  shown(mirror);
}

function shown({ view }: Mirror) {
  return items({ ...view, pending: [] } as View);
}

const histories = fc.array(happenings, { minLength: 1, maxLength: 6 });

Deno.test("readMessage() and a mirror survive any text", () => {
  const mirror = new Mirror({ session: ID });
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json(), fc.constantFrom("", "{", "null", "[]")),
      (text) => receive(mirror, text),
    ),
    { numRuns: RUNS },
  );
  assert.deepEqual(shown(mirror), []);
});

Deno.test("a mirror survives frames with anything anywhere, and the next replay mends it", () => {
  fc.assert(
    fc.property(
      histories,
      fc.infiniteStream(fc.tuple(fc.nat(), fc.nat(9), fc.jsonValue())),
      (script, spoils) => {
        const { frames, record } = framesOf(script);
        const mirror = new Mirror({ session: ID });
        for (const text of frames) {
          const [[where, how, what]] = spoils.take(1) as unknown as [
            [number, number, unknown],
          ];
          receive(mirror, how < 6 ? spoiled(text, where, what) : text);
        }
        mirror.lost();
        mirror.asked();
        for (const slice of record.attach({})) receive(mirror, slice);
        assert.deepEqual(mirror.view.state.messages, record.state.messages);
        assert.equal(mirror.view.replaying, false);
      },
    ),
    { numRuns: RUNS },
  );
});

Deno.test("a mirror passes over what a future server adds", () => {
  fc.assert(
    fc.property(histories, fc.jsonValue(), (script, extra) => {
      const { frames, record } = framesOf(script);
      const mirror = new Mirror({ session: ID });
      for (const frame of frames) {
        receive(mirror, JSON.stringify({ type: "news", session: ID, extra }));
        receive(mirror, JSON.stringify(withMore(JSON.parse(frame), extra)));
      }
      const plain = JSON.parse(
        JSON.stringify(mirror.view.state.messages),
        (key, value) => key === "fromTheFuture" ? undefined : value,
      );
      assert.deepEqual(plain, record.state.messages);
      assert.equal(mirror.view.running, record.running);
    }),
    { numRuns: RUNS },
  );
});

/** The same JSON with `what` in the place of one of its values. */
function spoiled(text: string, where: number, what: unknown): string {
  let n = 0;
  JSON.parse(text, (_key, value) => (n++, value));
  let at = 0;
  return JSON.stringify(
    JSON.parse(text, (_key, value) => at++ === where % n ? what : value),
  ) ?? "";
}

/** Every object in it has one more field. */
function withMore(value: unknown, extra: unknown): unknown {
  if (Array.isArray(value)) return value.map((v) => withMore(v, extra));
  if (typeof value !== "object" || value === null) return value;
  return {
    ...Object.fromEntries(
      Object.entries(value).map(([key, v]) => [key, withMore(v, extra)]),
    ),
    fromTheFuture: extra,
  };
}
