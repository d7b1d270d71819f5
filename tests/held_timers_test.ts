import assert from "node:assert/strict";
import { HeldTimers } from "./held_timers.ts";
import { until } from "./until.ts";

Deno.test("HeldTimers holds the timers of its length until they are fired, and no others", async () => {
  const ran: string[] = [];
  {
    using held = new HeldTimers(3_600_000);
    const never = setTimeout(() => ran.push("never"), 3_600_000);
    setTimeout((what: string) => ran.push(what), 3_600_000, "held");
    setTimeout(() => ran.push("soon"), 1);
    clearTimeout(never);
    await until(() => ran.length > 0);
    assert.deepEqual([ran, held.set, held.waiting], [["soon"], 2, 1]);
    held.fire();
    assert.deepEqual([ran, held.waiting], [["soon", "held"], 0]);
  }
  await new Promise<void>((resolve) => setTimeout(resolve, 1));
});
