import { deepStrictEqual, match, ok, strictEqual as equal } from "node:assert";
import { visibleWidth } from "@mariozechner/pi-tui";
import fc from "fast-check";
import { Agent } from "../../../core/agent.ts";
import { replay } from "../../../core/replay.ts";
import type { Session } from "../../../core/session.ts";
import type { Block } from "../../../facades/terminal/tui/block.ts";
import { Segments } from "../../../facades/terminal/tui/segments.ts";
import { makeTheme } from "../../../facades/terminal/tui/theme.ts";
import { Transcript } from "../../../facades/terminal/tui/transcript.ts";
import { TranscriptView } from "../../../facades/terminal/tui/transcript_view.ts";
import { call, ScriptedModel, type Step } from "../../scripted_model.ts";
import { Parrot, parrotTools } from "./parrot.ts";

const plain = makeTheme(false);

Deno.test("a replay looks like the live run", async () => {
  const { live, session } = await watch([
    {
      content: "I look. \n\n- one\n- two\n\n```sh\nls\n\nls\n```\n\nSo:",
      toolCalls: [call("read", { text: "a.ts" }), call("edit", { text: "b" })],
    },
    { toolCalls: [call("shell", { text: "make" }), call("nope")] },
    "Done \x1b[2Jat\x1b]0;x\x07 last.\n\n| a | b |\n|---|---|\n| 你 | 🎉 |\n",
    "Second.",
  ], ["look\nand do", "again"]);
  for (const width of [80, 40, 12]) {
    equal(draw(live, width), draw(replayed(session), width));
  }
  match(draw(live, 80), /● Edit b \+2 -1\n\s+1 {3}one\n\s+2 - two\n\s+2 \+ 2/);
});

Deno.test("a thought is replayed as it was shown", async () => {
  const agent = new Agent({
    cwd: "/project",
    model: new Parrot(0),
    bundles: [{ tools: parrotTools }],
  });
  const session = agent.create();
  const transcript = new Transcript();
  session.subscribe((update) => transcript.update(update));
  await session.prompt("read a.ts");
  match(draw(transcript.blocks, 40), /^› read a\.ts\n\n {2}They want me/);
  equal(draw(transcript.blocks, 40), draw(replayed(session), 40));
});

Deno.test("a replay tells that it lacks the beginning, which may be kept all the same", () => {
  const transcript = new Transcript();
  transcript.replay({ type: "omitted" });
  match(draw(transcript.blocks, 40), /Earlier messages omitted/);
});

Deno.test("a message that arrives during a tool replays where it was shown", async () => {
  let steer: Promise<void> | undefined;
  const { live, session } = await watch(
    [
      { toolCalls: [call("shell", { text: "make" })] },
      "Heard.",
    ],
    ["go"],
    (s, update) => {
      if (update.type === "tool_running") steer ??= s.steer("and this");
    },
  );
  await steer;
  match(draw(live, 80), /Run make[^]*› and this\n\nHeard\./);
  equal(draw(live, 80), draw(replayed(session), 80));
});

Deno.test("errors and notices are shown live and never replayed", async () => {
  const { live, session } = await watch([
    new Error("Down"),
    "Up.",
  ], ["one", "two"]);
  equal(draw(live, 80), "› one\n\nDown\n\n› two\n\nUp.");
  equal(draw(replayed(session), 80), "› two\n\nUp.");
});

Deno.test("an answer that was cancelled is shown as such, live and replayed", async () => {
  const stop = (session: Session, update: { type: string }) => {
    if (update.type === "text") session.cancel();
  };
  const { live, session } = await watch(["One word after it"], ["go"], stop);
  equal(draw(live, 80), "› go\n\nOne\n\nCancelled");
  equal(draw(replayed(session), 80), draw(live, 80));
});

Deno.test("no line is wider than the terminal, whatever comes", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 3, max: 50 }), (a, b, width) => {
      const transcript = new Transcript();
      transcript.replay({ type: "user", id: "u", content: a });
      transcript.replay({ type: "thought", id: "a", text: b });
      transcript.replay({ type: "assistant", id: "a", text: `${a}\n\n- ${b}` });
      transcript.replay({
        type: "tool",
        call: { id: "c", name: a, arguments: {} },
        result: {
          role: "tool",
          id: "r",
          toolCallId: "c",
          name: a,
          title: b,
          content: b,
          status: "completed",
          approval: "auto",
          diffs: [{ path: a, oldText: a, newText: b }],
        },
      });
      transcript.fail(b);
      const lines = view(transcript.blocks).render(width);
      for (const line of lines) ok(visibleWidth(line) <= width, line);
    }),
    { numRuns: 60 },
  );
});

Deno.test("colours go only where they are wanted", () => {
  const transcript = new Transcript();
  transcript.fail("Down");
  const view = new TranscriptView(transcript.blocks, makeTheme(true), () => 9);
  ok(view.render(20)[0]?.startsWith("\x1b[31mDown"));
});

Deno.test("Segments cuts the same however the text arrives, and loses nothing", () => {
  const piece = fc.constantFrom(
    "word ",
    "\n",
    "\n\n",
    "- item\n",
    "1. one\n",
    "```\n",
    "  indented\n",
    "x".repeat(3000),
    "🎉",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const whole = segments([pieces.join("")]);
    deepStrictEqual(segments(pieces), whole);
    const letters = (text: string) => text.replaceAll(/[\s`]/g, "");
    equal(
      letters(whole.map((s) => s.text).join("")),
      letters(pieces.join("")),
    );
  }));
});

Deno.test("a block of code stays one piece, as does a list", () => {
  const text = "a\n\n```\nx\n\ny\n```\n\n1. b\n\n   c\n\n2. d\n\ne";
  deepStrictEqual(segments([text]).map((s) => s.text.trim()), [
    "a",
    "```\nx\n\ny\n```",
    "1. b\n\n   c\n\n2. d",
    "e",
  ]);
});

Deno.test("an answer of 1 MB and an output of 10,000 lines are drawn whole", async () => {
  const words = "Some words of a long answer.\n".repeat(36_000);
  const { live } = await watch(
    [
      { content: words, toolCalls: [call("long")] },
      "End.",
    ],
    ["go"],
    undefined,
    [{
      ...parrotTools[0]!,
      name: "long",
      plan: () => ({ title: "Long", access: "auto" }),
      run: () => Promise.resolve({ content: "line\n".repeat(10_000) }),
    }],
  );
  const lines = view(live).render(80);
  ok(lines.length > 30_000);
});

Deno.test("what still grows stays on the screen", () => {
  const transcript = new Transcript();
  const text = `\`\`\`\n${"code\n".repeat(100)}`;
  transcript.update({ type: "text", messageId: "m", text });
  equal(view(transcript.blocks, 10).render(40).length, 11);
});

Deno.test("blocks above the screen are forgotten, the rest stays where it was", () => {
  const transcript = new Transcript();
  for (let i = 0; i < 20; i++) transcript.note(`note ${i}`);
  const drawn = view(transcript.blocks);
  const before = drawn.render(40);
  const gone = drawn.forget(15);
  ok(gone > 0 && gone <= 15);
  deepStrictEqual(drawn.render(40), before.slice(gone));
});

Deno.test("a turn cancelled before its first word says that nothing is kept; a failed one says why", async () => {
  const stop = (session: Session, update: { type: string }) => {
    if (update.type === "running") session.cancel();
  };
  const { live, session } = await watch(["Never."], ["hello"], stop);
  match(draw(live, 80), /^› hello\n\nCancelled before there was an answer: /);
  equal(session.state.messages.some((m) => m.role === "user"), false);
  const failed = await watch([new Error("Broken")], ["hello"]);
  equal(draw(failed.live, 80), "› hello\n\nBroken");
});

async function watch(
  steps: readonly Step[],
  questions: readonly string[],
  also?: (session: Session, update: { type: string }) => void,
  tools = parrotTools,
): Promise<{ live: readonly Block[]; session: Session }> {
  const agent = new Agent({
    cwd: "/project",
    model: new ScriptedModel(steps),
    bundles: [{ tools }],
    mode: "all",
  });
  const session = agent.create();
  const transcript = new Transcript();
  session.subscribe((update) => {
    transcript.update(update);
    also?.(session, update);
  });
  for (const question of questions) await session.prompt(question);
  return { live: transcript.blocks, session };
}

function replayed(session: Session): readonly Block[] {
  const transcript = new Transcript();
  for (const item of replay(session.state)) transcript.replay(item);
  return transcript.blocks;
}

function view(blocks: readonly Block[], room = 1_000): TranscriptView {
  return new TranscriptView(blocks as Block[], plain, () => room);
}

function draw(blocks: readonly Block[], width: number): string {
  return view(blocks).render(width).join("\n").trimEnd();
}

function segments(pieces: readonly string[]) {
  const segments = new Segments();
  return [...pieces.flatMap((p) => [...segments.push(p)]), ...segments.end()];
}
