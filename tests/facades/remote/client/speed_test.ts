import assert from "node:assert/strict";
import { items } from "../../../../facades/remote/client/items.ts";
import { Mirror } from "../../../../facades/remote/client/mirror.ts";
import { readMessage } from "../../../../facades/remote/client/read_message.ts";
import type { ServerMessage } from "../../../../facades/remote/wire.ts";
import { Teller } from "./histories.ts";
import { RealRecord } from "./real_record.ts";

const ID = "20260101-000000-00000000";

Deno.test("a mirror reads 10,000 events and 8 MiB in a small multiple of parsing them", () => {
  const record = new RealRecord(ID, { events: 20_000, bytes: 64 << 20 });
  const teller = new Teller((update) => record.push(update));
  teller.record({ type: "opened", cwd: "/project", model: "m" });
  for (let i = 0; i < 3_333; i++) {
    teller.message({ role: "user", content: "question ".repeat(60) });
    teller.message({ role: "assistant", content: "answer ".repeat(270) });
    teller.record({ type: "settled", reason: "end_turn" });
  }
  const frames = record.attach({});
  assert.ok(frames.reduce((n, frame) => n + frame.length, 0) > 8 << 20);
  const parsing = fastest(() => frames.map((frame) => JSON.parse(frame)));
  const reading = fastest(() => {
    const mirror = new Mirror({ session: ID });
    mirror.asked();
    for (const frame of frames) {
      mirror.receive(readMessage(frame) as ServerMessage);
    }
    assert.equal(items({ ...mirror.view, pending: [] }).length, 6_666);
  });
  assert.ok(
    reading < 50 * parsing,
    `${Math.round(reading)} ms for what is parsed in ${Math.round(parsing)}`,
  );
});

function fastest(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = performance.now();
    work();
    return performance.now() - before;
  });
  return Math.min(...times);
}
