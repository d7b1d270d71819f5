import assert from "node:assert/strict";
import fc from "fast-check";
import type { Update } from "../../../../core/event.ts";
import { catchUp } from "../../../../facades/remote/client/catch_up.ts";
import {
  type Change,
  Mirror,
} from "../../../../facades/remote/client/mirror.ts";
import { Parts } from "../../../../facades/remote/client/parts.ts";
import { readMessage } from "../../../../facades/remote/client/read_message.ts";
import type { ServerMessage } from "../../../../facades/remote/wire.ts";
import { happenings, Teller } from "./histories.ts";
import { RealRecord } from "./real_record.ts";

const ID = "20260101-000000-00000000";
const RUNS = Number(Deno.env.get("FC_RUNS") ?? 300);

Deno.test("catchUp() tells what was missed once, wherever the connection was cut and even by a new server", () => {
  fc.assert(
    fc.property(
      fc.array(happenings, { maxLength: 12, size: "max" }),
      fc.infiniteStream(fc.nat(30)),
      fc.boolean(),
      (script, cuts, anew) => {
        const record = new RealRecord(ID, { events: 10_000, bytes: 1e9 });
        const told: Update[] = [];
        const mirror = new Mirror({ session: ID }, (change) => {
          told.push(...change.live ? change.updates : catchUp(change));
        });
        const parts = new Parts();
        const hear = (frame: string) => {
          let message = readMessage(frame);
          if (message?.type === "part") {
            message = readMessage(parts.add(message) ?? "");
          }
          if (message) mirror.receive(message as ServerMessage);
        };
        const attach = () => {
          mirror.asked();
          record.attach(mirror.position ?? {}).forEach(hear);
        };
        let left = 0;
        const all: Update[] = [];
        const teller = new Teller((update) => {
          all.push(update);
          const frames = record.push(update);
          if (left-- > 0) return frames.forEach(hear);
          if (left < -5) {
            if (anew) record.restart();
            attach();
            [left] = cuts.take(1) as unknown as [number];
          } else mirror.lost();
        });
        teller.record({ type: "opened", cwd: "/project", model: "m" });
        attach();
        left = 5;
        for (const happening of script) happening(teller);
        attach();

        const durable = told.filter((u) => "seq" in u);
        const lines = durable.map((u) => u.type === "failed" ? u.at : "");
        const failures = lines.filter(Boolean);
        assert.equal(new Set(failures).size, failures.length);
        // A new server tells failures at the end.
        const seqs = durable.filter((u) => !anew || u.type !== "failed")
          .map((u) => u.seq);
        assert.deepEqual(seqs, seqs.toSorted((a, b) => a - b));
        assert.equal(new Set(seqs).size, seqs.length, "nothing is told twice");
        const messages = ids(told);
        if (!anew) {
          const known = all.filter((u) =>
            !("seq" in u) || u.type !== "message" ||
            u.message.role !== "system"
          );
          assert.deepEqual(messages, ids(known));
        }
        // What a new server still has is told, too.
        for (const { id, role } of record.state.messages) {
          if (role !== "system") assert.ok(messages.includes(id), id);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

function ids(updates: readonly Update[]): string[] {
  return updates.flatMap((u) => u.type === "message" ? [u.message.id] : []);
}

Deno.test("catchUp() tells the rest of an answer whose beginning was told", () => {
  const view = new Mirror({ session: ID }).view;
  const partial = { messageId: "a", text: "Once upon ", thought: "" };
  const before = { ...view, running: true, partial };
  const end = { seq: 3, at: "" } as const;
  const message = { role: "assistant", id: "a", content: "Once upon a time" };
  const change: Change = {
    live: false,
    before: { ...before, state: { ...view.state, seq: 2 } },
    after: { ...view, state: { ...view.state, seq: 3 } },
    updates: [{ ...end, type: "message", message } as Update],
  };
  assert.deepEqual([...catchUp(change)], [
    { type: "text", messageId: "a", text: "a time" },
    ...change.updates,
    { type: "running", running: false },
  ]);
});
