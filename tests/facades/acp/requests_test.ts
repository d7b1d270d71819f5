import assert from "node:assert/strict";
import { Requests } from "../../../facades/acp/wire/requests.ts";

Deno.test("room() refuses one request too many when none of the others is answered", async () => {
  const requests = new Requests();
  while (await requests.room()) requests.add(0);
  const start = performance.now();
  // Those that wait may wait for the client, so reading must go on.
  for (let n = 0; n < 100; n++) assert.equal(await requests.room(), false);
  assert.ok(performance.now() - start < 500);
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
