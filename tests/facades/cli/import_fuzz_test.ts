import assert from "node:assert/strict";
import fc from "fast-check";
import { eventProblem } from "../../../core/check_event.ts";
import { readConversation } from "../../../facades/cli/sessions/import/read.ts";
import { readJson } from "../../../facades/cli/sessions/import/values.ts";

const SAMPLES = [
  `{"type":"user","sessionId":"s","uuid":"u","timestamp":"2026-03-01T09:00:00Z","cwd":"/a","message":{"role":"user","content":"Hi"}}
{"type":"assistant","sessionId":"s","uuid":"v","timestamp":"2026-03-01T09:00:01Z","message":{"id":"m","role":"assistant","model":"x","content":[{"type":"thinking","thinking":"h"},{"type":"tool_use","id":"t","name":"Bash","input":{}}],"usage":{"input_tokens":1,"output_tokens":2}}}
{"type":"user","sessionId":"s","uuid":"w","timestamp":"2026-03-01T09:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"ok"}]}]}}
`,
  `{"type":"session","version":3,"id":"p","timestamp":"2026-03-02T10:00:00Z","cwd":"/b"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T10:00:00Z","message":{"role":"user","content":[{"type":"text","text":"Hi"}]}}
{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","model":"x","content":[{"type":"toolCall","id":"t","name":"bash","arguments":{}}],"usage":{"input":1,"output":1}}}
{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"t","toolName":"bash","content":[{"type":"text","text":"ok"}],"isError":false}}
{"type":"compaction","id":"d","parentId":"c","summary":"s","firstKeptEntryId":"a"}
`,
  `{"sessionId":"g","projectHash":"f","startTime":"2026-03-03T10:00:00Z","messages":[{"id":"1","type":"user","timestamp":"2026-03-03T10:00:00Z","content":"Hi"},{"id":"2","type":"gemini","content":[{"text":"Yo"}],"thoughts":[{"subject":"s"}],"tokens":{"input":1,"output":2},"toolCalls":[{"id":"c","name":"n","args":{},"status":"success","result":[{"functionResponse":{"response":{"output":"o"}}}]}]}]}`,
  `{"id":"20260101-000000-00000000","seq":2,"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","cwd":"/","model":"","title":"","turns":0,"usage":{"input":0,"output":0},"contextTokens":0,"truncated":false,"messages":[],"errors":[]}`,
];

// What may stand where something else is expected.
const ODD = [
  "null",
  "7",
  `""`,
  "[]",
  "{}",
  "[null]",
  `"\\ud800"`,
  "1e999",
  "}",
];

Deno.test("readConversation() makes a valid conversation of 3,000 mutated files, or says why not", () => {
  const mutation = fc.record({
    sample: fc.constantFrom(...SAMPLES),
    odd: fc.constantFrom(...ODD),
    places: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  });
  const property = fc.property(mutation, ({ sample, odd, places }) => {
    const bytes = new TextEncoder().encode(mutated(sample, odd, places));
    const found = readConversation(readJson(bytes), "/here");
    if (typeof found === "string") return assert(found.length > 0);
    const { seq, updatedAt: at } = found.state;
    const event = { type: "restored", seq, at, state: found.state };
    assert.equal(eventProblem(event), undefined);
  });
  fc.assert(property, { numRuns: 3000, seed: 20260301 });
});

// Values are replaced, so that most results are still JSON.
function mutated(text: string, odd: string, places: readonly number[]): string {
  return places.reduce((now, place) => {
    const values = [...now.matchAll(/(?<=[:[,])("[^"]*"|\d+|[[{])/g)];
    const value = values[place % Math.max(1, values.length)];
    if (!value) return now;
    const end = value.index + value[0].length;
    // Of what is nested, its beginning alone: a file that is torn.
    return now.slice(0, value.index) + odd + now.slice(end);
  }, text);
}
