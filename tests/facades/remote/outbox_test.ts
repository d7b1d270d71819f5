import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import type { WebSocket } from "ws";
import { Outbox } from "../../../facades/remote/server/outbox.ts";

const KiB = 1024;

Deno.test("of what many clients do not read, each is handed little, and the rest is in memory once", () => {
  const lines = Array.from({ length: 3 }, () => new Line());
  const outboxes = lines.map((line) => new Outbox(line.socket, 800 * KiB));
  const frames = Array.from({ length: 50 }, () => Buffer.alloc(16 * KiB));
  for (const frame of frames) outboxes.forEach((o) => o.send([frame]));
  for (const line of lines) {
    assert(line.handed <= 80 * KiB, `${line.handed} bytes were handed on`);
    assert.equal(line.isCut, false);
    line.read();
    assert.equal(line.taken.length, 50);
    assert(line.taken.every((frame, i) => frame === frames[i]), "no copies");
  }
});

Deno.test("a client is cut off when more than the bound waits for it, whatever is on its way", () => {
  const line = new Line();
  const outbox = new Outbox(line.socket, 800 * KiB);
  const frame = Buffer.alloc(16 * KiB);
  let sent = 0;
  while (!line.isCut) {
    outbox.send([frame]);
    sent++;
  }
  assert.equal(sent * 16, 800 + 2 * 16);
  outbox.send([frame]);
  line.read();
  assert.equal(line.taken.length, 4, "nothing follows");
});

Deno.test("a client that reads is not cut off, however much it is sent, nor by one long message", () => {
  const line = new Line();
  const outbox = new Outbox(line.socket, 100 * KiB);
  const parts = new Array(9).fill(Buffer.alloc(200 * KiB));
  for (let n = 0; n < 10; n++) {
    outbox.send(parts);
    outbox.send([Buffer.alloc(90 * KiB)]);
    line.read();
  }
  assert.equal(line.isCut, false);
  assert.equal(line.taken.length, 100);
});

Deno.test("what is sent behind a stream follows it, and the end follows all", () => {
  const line = new Line();
  const outbox = new Outbox(line.socket, 100 * KiB);
  const stream = Array.from({ length: 5 }, () => Buffer.alloc(100 * KiB));
  let made = 0;
  let over = false;
  outbox.stream(function* () {
    for (const frame of stream) {
      made++;
      yield frame;
    }
  }());
  const behind = Buffer.from("behind");
  outbox.send([behind]);
  outbox.end(() => over = true);
  assert(made < 3, "it is made as it is read");
  assert.equal(over, false);
  assert.equal(outbox.streams, 1);
  line.read();
  assert.deepEqual(line.taken, [...stream, behind]);
  assert.equal(outbox.streams, 0);
  assert.equal(over, true);
});

/** The way to a client that reads when the test says so. */
class Line {
  readonly taken: Buffer[] = [];
  /** Bytes that were handed on and not read. */
  handed = 0;
  isCut = false;
  readonly #waiting: [frame: Buffer, sent: () => void][] = [];

  /** As much of a WebSocket as an outbox uses. */
  readonly socket = {
    send: (frame: Buffer, _: unknown, sent: () => void) => {
      this.handed += frame.length;
      this.#waiting.push([frame, sent]);
    },
    terminate: () => {
      this.isCut = true;
    },
  } as unknown as WebSocket;

  /** Reads all there is, and what follows it. */
  read(): void {
    for (;;) {
      const next = this.#waiting.shift();
      if (!next) return;
      const [frame, sent] = next;
      this.taken.push(frame);
      this.handed -= frame.length;
      sent();
    }
  }
}
