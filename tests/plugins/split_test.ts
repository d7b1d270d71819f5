import assert from "node:assert/strict";
import fc from "fast-check";
import { ModelError } from "../../core/error.ts";
import type { Model, ModelReply } from "../../core/model.ts";
import {
  anthropicServer,
  openaiServer,
  type Recorded,
  type Step,
} from "../model_server.ts";
import { anthropic } from "../model_server/anthropic.ts";
import type { Scripted } from "../model_server/dialect.ts";
import { openai } from "../model_server/openai.ts";
import { anthropicModel, collect, openaiModel } from "./models.ts";

const ANSWER: Scripted = {
  text: "Grüße 🎉 an\r\n\r\ndata: alle\u2028,\n\n```js\nlet x;\n```",
  thought: "日本語 で 考える",
  calls: [
    { id: "a", name: "read", arguments: { path: "Ä/🎈.txt" } },
    { id: "b", name: "list", arguments: {} },
  ],
  usage: { input: 10, output: 5, cached: 3 },
};

const SUBJECTS = [
  { dialect: openai, serve: openaiServer, make: openaiModel },
  { dialect: anthropic, serve: anthropicServer, make: anthropicModel },
] as const;

for (const { dialect, serve, make } of SUBJECTS) {
  const bytes = new TextEncoder().encode(dialect.frames(ANSWER).join(""));

  Deno.test(`${dialect.name} reads a stream the same wherever its bytes are split`, async () => {
    const pieces: { now: readonly Uint8Array[] } = { now: [bytes] };
    await using server = serve([() => streamed(pieces.now)]);
    const model = make({ baseURL: server.url });
    const whole = await collect(model);
    assert.equal(whole.reply.content, ANSWER.text);
    assert.equal(whole.reply.thought, ANSWER.thought);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(bytes.length), { maxLength: 40 }),
        async (cuts) => {
          pieces.now = cut(bytes, cuts);
          assert.deepEqual((await collect(model)).reply, whole.reply);
        },
      ),
      { numRuns: 100 },
    );
    pieces.now = Array.from(bytes, (b) => Uint8Array.of(b));
    assert.deepEqual((await collect(model)).reply, whole.reply);
  });

  Deno.test(`${dialect.name} answers 2,000 mutated streams with a reply or a ModelError`, async () => {
    let body: Uint8Array = bytes;
    const step: Step = (_: Recorded) => streamed([body]);
    await using server = serve([step]);
    const model: Model = make({
      baseURL: server.url,
      watchdogTimeout: 5,
      retries: 0,
    });
    let replies = 0;
    await fc.assert(
      fc.asyncProperty(mutation(bytes), async (mutated) => {
        body = mutated;
        try {
          check((await collect(model)).reply);
          replies++;
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          assert.doesNotMatch(error.message, /[\r\n]/);
        }
      }),
      { numRuns: 2000 },
    );
    assert.ok(replies > 0 && replies < 2000, `${replies} replies`);
  });
}

function check(reply: ModelReply): void {
  assert.equal(typeof reply.content, "string");
  assert.ok(reply.content.trim() !== "" || reply.toolCalls?.length);
  for (const call of reply.toolCalls ?? []) assert.ok(call.id && call.name);
}

function streamed(pieces: readonly Uint8Array[]): Response {
  return new Response(ReadableStream.from(pieces), {
    headers: { "content-type": "text/event-stream" },
  });
}

function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [0, ...at.toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
    .filter((piece) => piece.length > 0);
}

// Noise, a cut, lines swapped, values replaced: alone or on top of each other.
function mutation(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  const text = new TextDecoder().decode(bytes);
  const noise = fc.uint8Array({ maxLength: 400 });
  const flip = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 8,
  }).map((changes) => {
    const copy = bytes.slice();
    for (const [at, value] of changes) copy[at] = value;
    return copy;
  });
  const short = fc.nat(bytes.length).map((end) => bytes.slice(0, end));
  const frames = text.split(/(?<=\n\n)/);
  const shuffled = fc.shuffledSubarray(frames, { minLength: 1 })
    .map((some) => new TextEncoder().encode(some.join("")));
  const values = [...text.matchAll(/"(?:\\.|[^"\\])*"|\d+|null|\{\}|\[\]/g)];
  const swapped = fc.tuple(
    fc.nat(values.length - 1),
    fc.constantFrom(
      "null",
      "[]",
      "{}",
      "0",
      "1e999",
      '"x"',
      "true",
      "[[]]",
      '{"a":{}}',
      "-1",
      "",
    ),
  ).map(([i, by]) => {
    const match = values[i];
    if (!match) return bytes;
    const end = match.index + match[0].length;
    return new TextEncoder().encode(
      text.slice(0, match.index) + by + text.slice(end),
    );
  });
  return fc.oneof(noise, flip, short, shuffled, {
    arbitrary: swapped,
    weight: 3,
  });
}
