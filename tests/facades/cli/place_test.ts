import assert from "node:assert/strict";
import { findPlace } from "../../../facades/cli/place.ts";

Deno.test("findPlace() finds no agent.yaml where its path would be longer than the system takes", async () => {
  const cwd = "/x".repeat(2045);
  assert.deepEqual(await findPlace(cwd), { cwd, project: cwd });
});
