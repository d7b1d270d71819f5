import { items } from "../../facades/remote/client/items.ts";
import { Mirror } from "../../facades/remote/client/mirror.ts";
import { readMessage } from "../../facades/remote/client/read_message.ts";
import type { ServerMessage } from "../../facades/remote/wire.ts";
import { Teller } from "../../tests/facades/remote/client/histories.ts";
import { RealRecord } from "../../tests/facades/remote/client/real_record.ts";
import { median, type Row } from "./measure.ts";

/** A client's mirror of a replay of 10,000 events and 8 MiB, against parsing it. */
export function mirror(): Row {
  const frames = replayOf(3_333);
  const parsing = timed(() => frames.map((frame) => JSON.parse(frame)));
  const reading = timed(() => {
    const mirror = new Mirror({ session: ID });
    mirror.asked();
    for (const frame of frames) {
      mirror.receive(readMessage(frame) as ServerMessage);
    }
    items({ ...mirror.view, pending: [] });
  });
  return {
    name: "remote client: a replay of 8 MiB",
    value: reading,
    baseline: parsing,
    target: 15,
  };
}

function replayOf(turns: number): readonly string[] {
  const record = new RealRecord(ID, { events: 20_000, bytes: 64 << 20 });
  const teller = new Teller((update) => record.push(update));
  teller.record({ type: "opened", cwd: "/project", model: "m" });
  for (let i = 0; i < turns; i++) {
    teller.message({ role: "user", content: "question ".repeat(60) });
    teller.message({ role: "assistant", content: "answer ".repeat(270) });
    teller.record({ type: "settled", reason: "end_turn" });
  }
  return record.attach({});
}

function timed(work: () => void): number {
  return median(Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }));
}

const ID = "20260101-000000-00000000";
