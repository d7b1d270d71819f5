import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { Output } from "../../../facades/acp/wire/output.ts";

/** An output whose writes are kept, and go on when they are let `flow`. */
function lab() {
  const writes: Uint8Array[] = [];
  const gates: (() => void)[] = [];
  const output = new Output((bytes) => {
    writes.push(bytes.slice());
    return new Promise((resolve) => gates.push(() => resolve(undefined)));
  }, () => {});
  /** Lets all writes go on, those to come included. */
  const flow = async () => {
    let done = false;
    const flushed = output.flush().then(() => done = true);
    while (!done) {
      gates.shift()?.();
      await setImmediate();
    }
    await flushed;
  };
  return { output, writes, flow };
}

Deno.test("send() writes lines in order, those that wait in one", async () => {
  const { output, writes, flow } = lab();
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
  await Promise.all(lines.map((line) => output.send(line)));
  await flow();
  assert.equal(writes.length, 1);
  assert.equal(text(writes), lines.map((line) => `${line}\n`).join(""));
});

Deno.test("send() cuts what is longer than a write, and never a character", async () => {
  const { output, writes, flow } = lab();
  // 1, 2, 3 and 4 bytes each: wherever a write ends, one of them is in the way.
  const long = "aé€😀".repeat(100_000);
  await Promise.all([output.send(long), output.send("short"), flow()]);
  assert.ok(writes.length > 1);
  assert.equal(text(writes), `${long}\nshort\n`);
});

Deno.test("send() waits while much is on its way, and goes on when it is written", async () => {
  const { output, flow } = lab();
  let sent = 0;
  const all = (async () => {
    for (; sent < 100; sent++) await output.send("x".repeat(100_000));
  })();
  for (let n = 0; n < 100; n++) await setImmediate();
  assert.ok(sent > 0 && sent < 20, `${sent} lines`);
  while (sent < 100) await flow();
  await all;
});

function text(writes: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return writes.map((bytes) => decoder.decode(bytes)).join("");
}
