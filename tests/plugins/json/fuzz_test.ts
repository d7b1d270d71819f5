import assert from "node:assert/strict";
import fc from "fast-check";
import { UserError } from "../../../core/error.ts";
import { histories, sessionId } from "../../store_suite/histories.ts";
import { JsonLab } from "./lab.ts";

const id = sessionId(1);
const SEED = 20260918;
const RUNS = 5000;

Deno.test(`${RUNS} mutated session files: no crash, no hang, no byte changed (seed ${SEED})`, async () => {
  await using lab = await JsonLab.create("mm-fuzz-");
  const originals: Uint8Array[] = [];
  for (const events of Object.values(histories)) {
    await lab.store.append(id, events);
    originals.push(await Deno.readFile(lab.file(id)));
    await lab.store.remove(id);
  }
  const seen = { good: 0, bad: 0 };
  const mutants = fc.constantFrom(...originals).chain((bytes) =>
    fc.oneof(
      flips(bytes),
      cuts(bytes),
      lines(bytes),
      swaps(bytes),
      doubled(bytes),
      odd(),
    )
  );
  await fc.assert(
    fc.asyncProperty(mutants, async (bytes) => {
      await lab.put(id, bytes);
      const store = lab.fresh();
      const read = await tried(() => store.read(id), lab.file(id));
      const { items } = await store.list();
      assert.equal(items.length, 1);
      assert.equal(items[0]?.id, id);
      if (read) assert.equal(items[0]?.unreadable, undefined);
      assert.deepEqual(await Deno.readFile(lab.file(id)), bytes);
      seen[read ? "good" : "bad"]++;
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  console.log(`  ${seen.good} readable, ${seen.bad} unreadable`);
  assert(seen.good > 100 && seen.bad > 1000);
});

async function tried(
  read: () => Promise<unknown>,
  path: string,
): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    assert(error instanceof UserError, String(error));
    assert(error.message.includes(path), error.message);
    assert(error.message.length < 1000 && !error.message.includes("\n"));
    return false;
  }
}

function flips(bytes: Uint8Array): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const flip = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
  return fc.array(flip, { minLength: 1, maxLength: 4 }).map((all) => {
    const copy = bytes.slice();
    for (const [at, byte] of all) copy[at] = byte;
    return copy;
  });
}

function cuts(bytes: Uint8Array): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  return fc.nat(bytes.length).map((length) => bytes.slice(0, length));
}

function lines(bytes: Uint8Array): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const all = new TextDecoder().decode(bytes).split("\n");
  return fc.tuple(fc.nat(all.length - 1), fc.nat(all.length - 1), fc.nat(2))
    .map(([a, b, how]) => {
      if (how === 0) return encode(all.toSpliced(a, 1));
      if (how === 1) return encode(all.toSpliced(b, 0, all[a] ?? ""));
      return encode(all.with(a, all[b] ?? "").with(b, all[a] ?? ""));
    });
}

// A value of another type where one of ours stood.
function swaps(bytes: Uint8Array): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const text = new TextDecoder().decode(bytes);
  const values = [...text.matchAll(/:("[^"]*"|\d+|\[|\{)/g)];
  return fc.tuple(fc.nat(values.length - 1), fc.constantFrom(...VALUES))
    .map(([n, value]) => {
      const { index, 0: found } = values[n]!;
      return encode([
        text.slice(0, index) + ":" + value + text.slice(index + found.length),
      ]);
    });
}

function doubled(bytes: Uint8Array): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const text = new TextDecoder().decode(bytes);
  const names = [...text.matchAll(/"(\w+)":/g)];
  return fc.tuple(fc.nat(names.length - 1), fc.constantFrom(...VALUES))
    .map(([n, value]) => {
      const { index, 1: name } = names[n]!;
      return encode([
        `${text.slice(0, index)}"${name}":${value},${text.slice(index)}`,
      ]);
    });
}

function odd(): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...ODD).map((t) => encode([t])) },
    {
      weight: 4,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((b) => b.slice()),
    },
    { weight: 4, arbitrary: fc.json().map((t) => encode([t])) },
  );
}

function encode(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(lines.join("\n"));
}

const DEEP = 100_000;

const VALUES = [
  "null",
  "true",
  "-1",
  "1e999",
  "123456789012345678901234567890",
  "0.5",
  `""`,
  `"\\ud800"`,
  `"\\u0000"`,
  "[]",
  "{}",
  "[null]",
  `{"__proto__":{"role":"user"}}`,
  "[".repeat(DEEP) + "]".repeat(DEEP),
];

const ODD = [
  "[".repeat(DEEP),
  `{"a":`.repeat(DEEP),
  "[".repeat(DEEP) + "]".repeat(DEEP),
  `{"version":1,"messages":[\n`,
  `],"errors":[\n]}\n`,
  "\n".repeat(DEEP),
  "\ufeff",
  "null",
  "1e999",
];
