import assert from "node:assert/strict";
import { UserError } from "../../../core/error.ts";
import { awaitLock } from "../../../plugins/files/lock_wait.ts";

Deno.test("awaitLock() waits for the lock, and passes a failure on", async () => {
  const asked: boolean[] = [];
  await awaitLock({
    lock: async (exclusive) => {
      asked.push(exclusive);
      await Promise.resolve();
    },
  }, "x");
  assert.deepEqual(asked, [true]);
  await assert.rejects(
    awaitLock({ lock: () => Promise.reject(new TypeError("no")) }, "x"),
    TypeError,
  );
});

Deno.test("awaitLock() takes a free lock at once, and waits for one that is not", async () => {
  const calls: string[] = [];
  const file = (free: boolean) => ({
    tryLockSync: (exclusive: boolean) => {
      calls.push(`try ${exclusive}`);
      return free;
    },
    lock: (exclusive: boolean) => {
      calls.push(`wait ${exclusive}`);
      return Promise.resolve();
    },
  });
  await awaitLock(file(true), "x");
  await awaitLock(file(false), "x");
  assert.deepEqual(calls, ["try true", "try true", "wait true"]);
});

Deno.test("awaitLock() gives up on a holder that does not let go", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  await assert.rejects(
    awaitLock({ lock: () => promise }, "/p/.lock", 20),
    (error: Error) => {
      assert(error instanceof UserError);
      assert.equal(
        error.message,
        'Cannot save: another process has held "/p/.lock" for 0.02 s; end it and ask again',
      );
      return true;
    },
  );
  reject(new Error("closed meanwhile")); // nobody waits for it any more
});
