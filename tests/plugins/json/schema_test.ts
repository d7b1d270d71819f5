import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import schema from "../../../docs/session-file.schema.json" with {
  type: "json",
};
import { histories, sessionId } from "../../store_suite/histories.ts";
import { anyHistory } from "../../store_suite/random.ts";
import { JsonLab } from "./lab.ts";

const validate = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
})
  .compile(schema);
const id = sessionId(1);

Deno.test("the golden file is what docs/session-file.schema.json describes", async () => {
  const path = new URL("../../golden/session.json", import.meta.url);
  valid(JSON.parse(await Deno.readTextFile(path)));
});

Deno.test("every file written is what docs/session-file.schema.json describes", async () => {
  await using lab = await JsonLab.create();
  for (const events of Object.values(histories)) {
    await lab.store.append(id, events);
    valid(JSON.parse(await lab.text(id)));
    await lab.store.remove(id);
  }
  const property = fc.asyncProperty(anyHistory, async (events) => {
    await lab.store.append(id, events);
    valid(JSON.parse(await lab.text(id)));
    await lab.store.remove(id);
  });
  await fc.assert(property, { numRuns: 50, seed: 20260916 });
});

Deno.test("the schema refuses what the store refuses", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, histories["a withdrawn question"]!);
  const file = JSON.parse(await lab.text(id));
  const message = file.messages[1];
  const bad = [
    { ...file, version: 2 },
    { ...file, seq: "1" },
    { ...file, messages: {} },
    { ...file, messages: [{ ...message, role: "robot" }] },
    { ...file, messages: [{ ...message, content: 1 }] },
    { ...file, errors: [{}] },
  ];
  for (const value of bad) {
    assert.equal(validate(value), false);
    await lab.put(id, JSON.stringify(value));
    await assert.rejects(lab.fresh().read(id));
  }
});

function valid(file: unknown): void {
  assert(validate(file), JSON.stringify(validate.errors));
}
