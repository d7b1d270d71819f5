import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { Update } from "../../../core/event.ts";
import type { Message } from "../../../core/message.ts";
import { empty } from "../../../core/fold.ts";
import { cut } from "../../../facades/remote/server/frames.ts";
import { ReplayRecord } from "../../../facades/remote/server/record.ts";
import { slices } from "../../../facades/remote/server/slices.ts";
import {
  MAX_FRAME,
  type Part,
  type Placed,
  type SessionInfo,
  type StructuredReplay,
} from "../../../facades/remote/wire.ts";

const BOUNDS = { events: 10_000, bytes: 64 * 1024 * 1024 };

/** Texts of all lengths, with what JSON and UTF-8 make longer. */
const text = fc.tuple(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("a", '"', "\\", "\n", "\u0001", "é", "…", "😀", "\ud800"),
  fc.constantFrom(0, 1, 100, 5_000, 70_000, 140_000, 300_000),
).map(([some, unit, times]) => some + unit.repeat(times));

Deno.test("cut() makes frames that are short enough, and put together the text", () => {
  fc.assert(
    fc.property(text, (text) => {
      const json = JSON.stringify({ text });
      const frames = cut(Buffer.from(json));
      assert(frames.every((f) => f.length <= MAX_FRAME));
      assert.equal(whole(frames), json);
    }),
    { numRuns: 60 },
  );
});

Deno.test("slices() tell every event once and in order, in frames that are short enough", () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 12 }),
      fc.array(text, { maxLength: 3 }),
      fc.constantFrom(0, 1, 200_000, 260_000, 600_000),
      (kept, passing, approval) => {
        const record = new ReplayRecord(BOUNDS, empty());
        kept.forEach((content, i) => record.add(message(i + 1, content)));
        const state = info(record.last, "x".repeat(approval));
        const told = passing.map((text) =>
          ({ type: "text", messageId: "m", text }) as const
        );
        const frames = [...slices({
          session: "s",
          excerpt: record.excerpt(),
          passing: told,
          state,
        })];
        assert(frames.every((f) => f.length <= MAX_FRAME));
        const replay = messages(frames);
        assert.deepEqual(replay.map((s) => s.seq), replay.map((_, i) => i));
        assert.deepEqual(
          replay.map((s) => s.last),
          replay.map((_, i) => i === replay.length - 1),
        );
        const events = replay.flatMap((s) => s.events);
        const wanted: Placed[] = [
          ...kept.map((content, i) => ({
            seq: i + 1,
            event: message(i + 1, content),
          })),
          ...told.map((event) => ({ seq: record.last, event })),
        ];
        assert.deepEqual(events, JSON.parse(JSON.stringify(wanted)));
        assert.deepEqual(replay.at(-1)?.state, state);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("a short replay takes no more memory than it is long", () => {
  const record = new ReplayRecord(BOUNDS, empty());
  record.add(message(1, "hello"));
  const [frame] = slices({
    session: "s",
    excerpt: record.excerpt(),
    passing: [],
    state: info(record.last, ""),
  });
  assert(frame!.buffer.byteLength < 4096);
});

Deno.test("an excerpt since a position is what the whole has after it, or all of it", () => {
  const bounds = fc.record({
    events: fc.integer({ min: 1, max: 30 }),
    bytes: fc.integer({ min: 200, max: 5_000 }),
  });
  const updates = fc.array(fc.boolean(), { maxLength: 60 });
  fc.assert(fc.property(bounds, updates, fc.nat(70), (bounds, all, since) => {
    const record = new ReplayRecord(bounds, empty());
    all.forEach((lasts, i) =>
      record.add(
        lasts
          ? message(i + 1, `message ${i}`)
          : { type: "text", messageId: "m", text: "x" },
      )
    );
    assert.equal(record.last, all.length);
    const full = positions(record.excerpt().events);
    const { epoch } = record.excerpt();
    const part = record.excerpt(since, epoch);
    const everything = all.flatMap((lasts, i) => lasts ? [i + 1] : []);
    if (part.since === undefined) {
      assert.deepEqual(positions(part.events), full);
      // It was not to be had: too old, or of no time that was.
      const after = everything.filter((p) => p > since);
      const missing = after.some((p) => !full.includes(p));
      assert(missing || since === 0 || since > record.last);
    } else {
      assert.equal(part.since, since);
      assert.deepEqual(
        positions(part.events),
        everything.filter((p) => p > since),
      );
    }
    assert.equal(record.excerpt().truncated, full.length < everything.length);
    assert.deepEqual(
      full,
      full.length === 0 ? [] : [
        everything[0],
        ...full.slice(1).length ? everything.slice(-(full.length - 1)) : [],
      ],
    );
  }));
});

Deno.test("the system prompt and what is the model plugin's own are in no record", () => {
  const record = new ReplayRecord(BOUNDS, empty());
  const prompt: Update = {
    type: "message",
    seq: 1,
    at: "",
    message: { role: "system", id: "p", content: "SECRET PROMPT" },
  };
  assert.equal(record.add(prompt), undefined);
  assert.equal(record.last, 0, "it takes no place, so that none is missed");
  record.add({
    type: "message",
    seq: 2,
    at: "",
    message: {
      role: "assistant",
      id: "m",
      content: "hi",
      provider: { secret: "SIGNATURE" },
    },
  });
  const told = record.excerpt().events.map(String).join();
  assert.match(told, /"content":"hi"/);
  assert.doesNotMatch(told, /SECRET|SIGNATURE/);
});

Deno.test("a message that is too long for a record leaves all that tells what it is", () => {
  const record = new ReplayRecord({ events: 10, bytes: 5000 }, empty());
  const long = "€".repeat(2000); // as many bytes as make it too long
  const call = { id: "c", name: "write", arguments: { text: long } };
  const id = "m";
  record.add(update({ role: "user", id, content: "short" }));
  record.add(update({ role: "assistant", id, content: "", toolCalls: [call] }));
  record.add(update({
    role: "tool",
    id,
    toolCallId: "c",
    name: "write",
    content: "Done",
    status: "completed",
    approval: "allowed",
    title: "Write it",
    diffs: [{ path: "/it", oldText: null, newText: long }],
  }));
  const told = record.excerpt().events.map((e) => JSON.parse(String(e)).event);
  const content =
    "[0.0 MiB, too long for other screens: mm sessions show prints it where the server runs]";
  assert.deepEqual(told.map((event) => event.message), [
    { role: "user", id, content: "short" },
    {
      role: "assistant",
      id,
      content,
      toolCalls: [{ id: "c", name: "write", arguments: {} }],
    },
    {
      role: "tool",
      id,
      toolCallId: "c",
      name: "write",
      content,
      status: "completed",
      approval: "allowed",
      title: "Write it",
    },
  ]);
});

function update(message: Message): Update {
  return { type: "message", seq: 1, at: "", message };
}

function message(seq: number, content: string): Update {
  const message = { role: "user", id: `m-${seq}`, content } as const;
  return { type: "message", seq, at: "", message };
}

function info(recordSeq: number, reason: string): SessionInfo {
  const request = {
    id: "a",
    call: { id: "c", name: "run", arguments: {} },
    title: "Run",
    kind: "execute",
    locations: [],
    diffs: [],
    reason,
  } as const;
  return {
    recordSeq,
    seq: 1,
    running: true,
    waiting: 0,
    title: "",
    model: "m",
    mode: "ask",
    cwd: "/",
    createdAt: "",
    updatedAt: "",
    turns: 0,
    usage: { input: 0, output: 0 },
    contextTokens: 0,
    errors: 0,
    approvals: reason ? [request] : [],
    presence: 1,
  };
}

function positions(events: readonly Buffer[]): number[] {
  return events.map((e) => JSON.parse(String(e)).seq);
}

function messages(frames: readonly Buffer[]): StructuredReplay[] {
  const found: StructuredReplay[] = [];
  let parts: Buffer[] = [];
  for (const frame of frames) {
    const message = JSON.parse(String(frame));
    if (message.type !== "part") found.push(message);
    else parts.push(frame);
    if (!message.last || message.type !== "part") continue;
    found.push(JSON.parse(whole(parts)));
    parts = [];
  }
  return found;
}

function whole(frames: readonly Buffer[]): string {
  if (frames.length === 1) return String(frames[0]);
  const parts: Part[] = frames.map((f) => JSON.parse(String(f)));
  assert.deepEqual(parts.map((p) => p.seq), parts.map((_, i) => i));
  assert.equal(new Set(parts.map((p) => p.id)).size, 1);
  return parts.map((p) => p.text).join("");
}
