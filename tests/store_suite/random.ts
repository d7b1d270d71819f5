import fc from "fast-check";
import type { EventDraft, SessionEvent } from "../../core/event.ts";
import { history, opened, type Unheard } from "./histories.ts";

/** Any text at all: lone surrogates, NUL and line ends included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) =>
    String.fromCharCode(...units)
  ),
  fc.constantFrom("", "\n", "\r\n", `],"errors":[\n`, `"messages":[\n`, "\0"),
);

const anyJson: fc.Arbitrary<unknown> = fc.json({ maxDepth: 3 })
  .map((text) => JSON.parse(text))
  .map((value) => JSON.parse(JSON.stringify(value))); // no -0

/** Any conversation that core could record. */
export const anyHistory: fc.Arbitrary<readonly SessionEvent[]> = fc
  .array(fc.oneof(message(), change(), other()), { maxLength: 25 })
  .map((steps) => history([opened(), ...steps.map((step, i) => step(i + 1))]));

/** A history, cut into batches, with the places where the store is opened anew. */
export const anyBatches: fc.Arbitrary<readonly Batch[]> = anyHistory
  .chain((events) =>
    fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()), {
      minLength: events.length,
      maxLength: events.length,
    }).map((cuts) => batches(events, cuts))
  );

/** What is appended at once, and whether the store is opened anew before. */
export interface Batch {
  readonly events: readonly SessionEvent[];
  readonly reopen: boolean;
}

function batches(
  events: readonly SessionEvent[],
  cuts: readonly (readonly [number, boolean])[],
): readonly Batch[] {
  const all: Batch[] = [];
  let start = 0;
  for (const [size, reopen] of cuts) {
    if (start >= events.length) break;
    all.push({ events: events.slice(start, start + size), reopen });
    start += size;
  }
  return all;
}

/** A draft, once it is known how many events come before it. */
type Step = (before: number) => EventDraft | Unheard;

function message(): fc.Arbitrary<Step> {
  return fc.record({
    role: fc.constantFrom("system", "user", "assistant", "tool"),
    id: fc.uuid(),
    text: anyText,
    json: anyJson,
  }).map(({ role, id, text, json }) => () => {
    switch (role) {
      case "system":
      case "user":
        return { type: "message", message: { role, id, content: text } };
      case "assistant":
        return {
          type: "message",
          message: {
            role,
            id,
            content: text,
            toolCalls: [{ id, name: text, arguments: json }],
            usage: { input: text.length, output: 1 },
          },
        };
      default:
        return {
          type: "message",
          message: {
            role: "tool",
            id,
            toolCallId: id,
            name: "read",
            content: text,
            status: "completed",
            approval: "auto",
          },
        };
    }
  });
}

function change(): fc.Arbitrary<Step> {
  return fc.tuple(
    fc.constantFrom("settled", "withdrawn", "compacted"),
    fc.nat(30),
    anyText,
  ).map(([type, n, summary]) => (before) => {
    switch (type) {
      case "settled":
        return { type, reason: "end_turn" };
      case "withdrawn":
        return { type, from: 2 + n % before };
      default:
        return { type: "compacted", summary, keepFrom: 2 + n % before };
    }
  });
}

function other(): fc.Arbitrary<Step> {
  return fc.tuple(anyText, anyJson, fc.nat(2)).map(
    ([text, payload, kind]) => () => {
      switch (kind) {
        case 0:
          return {
            type: "failed",
            kind: "generation",
            turns: 0,
            question: text,
            line: text,
            raw: text,
          };
        case 1:
          return { type: "titled", title: text };
        default:
          return { type: "unheard_of", payload };
      }
    },
  );
}
