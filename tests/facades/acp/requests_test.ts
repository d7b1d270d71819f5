import assert from "node:assert/strict";
import { Requests } from "../../../facades/acp/wire/requests.ts";
import { HeldTimers } from "../../held_timers.ts";

Deno.test("room() refuses one request too many when none of the others is answered", async () => {
  using hold = new HeldTimers(1000);
  const requests = new Requests();
  for (let n = 0; n < 1000; n++) {
    assert.equal(await requests.room(), true);
    requests.add(0);
  }
  const room = requests.room();
  hold.fire();
  assert.equal(await room, false);
  // Those that wait may wait for the client, so reading must go on.
  for (let n = 0; n < 100; n++) assert.equal(await requests.room(), false);
  requests.done(0);
  assert.equal(await requests.room(), true);
});

Deno.test("room() waits while others are answered", async () => {
  const requests = new Requests();
  for (let id = 0; id < 1000; id++) requests.add(id);
  const room = requests.room();
  requests.done(0);
  assert.equal(await room, true);
});
