import assert from "node:assert/strict";
import { OneWriter } from "../../../facades/acp/wire/one_writer.ts";

Deno.test("OneWriter writes in order for all who take its writer and let it go", async () => {
  const written: number[] = [];
  const stream = new OneWriter<number>({
    write: (n) => void written.push(n),
  });
  const writes = [1, 2, 3].map((n) => {
    const writer = stream.getWriter();
    const done = writer.write(n);
    writer.releaseLock();
    return done;
  });
  await Promise.all(writes);
  assert.deepEqual(written, [1, 2, 3]);
});

Deno.test("OneWriter tells everyone that writing failed", async () => {
  const stream = new OneWriter<number>({
    write: () => Promise.reject(new Error("gone")),
  });
  for (let n = 0; n < 2; n++) {
    const writer = stream.getWriter();
    await assert.rejects(writer.write(n), { message: "gone" });
    writer.releaseLock();
  }
});
