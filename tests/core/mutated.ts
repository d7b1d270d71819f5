import fc from "fast-check";

const SAMPLE = `# A whole configuration.
model:
  use: openai
  name: "llama3.2"
  baseURL: http://127.0.0.1:11434/v1
  apiKey: \${KEY}
  headers: { X-A: "1", X-B: two }
  contextWindow: 8192
  watchdogTimeout: 2m
prompt: |
  You are terse.
  Very.
sessions: &s
  enabled: true
  store: json
compaction: { use: summary, at: 0.8, keepTurns: 2 }
approvals:
  mode: ask
  commands:
    - git status
    - "npm test"
tools:
  maxRounds: 50
  off: [shell]
plugins:
  - use: coding
    timeout: 60
`;

const PIECES = [
  ..."\n\t :-?[]{}#&*!|>'\"%@`,~<=$\\\0\r",
  "\ufeff",
  "\ud800",
  "é",
  "---\n",
  "...\n",
  "*s",
  "<<: *s\n",
  "!!binary x",
  "!!js/function x",
  "${NOPE}",
  "${",
  "__proto__: ",
  "constructor: ",
  "? [a]\n: b\n",
  "  ",
  "1e999",
  ".nan",
  "0x",
  "null",
  "true",
  "[[[[[[[[",
  "&a [*a]",
] as const;

/** The text of an agent.yaml to which one to five bad things happened. */
export const mutated: fc.Arbitrary<string> = mutationsOf(SAMPLE);

/** The same of another text. */
export function mutationsOf(sample: string): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(sample.length),
    length: fc.oneof(fc.constant(0), fc.nat(8), fc.nat(200)),
    put: fc.oneof(
      fc.constant(""),
      fc.constantFrom(...PIECES),
      fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((a) =>
        a.join("")
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.tuple(fc.nat(sample.length), fc.nat(60)).map(([from, n]) =>
        sample.slice(from, from + n)
      ),
    ),
  });
  return fc.array(change, { minLength: 1, maxLength: 5 }).map((changes) =>
    changes.reduce(
      (text, { at, length, put }) =>
        text.slice(0, at) + put + text.slice(at + length),
      sample,
    )
  );
}
