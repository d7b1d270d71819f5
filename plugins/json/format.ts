import { failureProblem } from "../../core/check_failure.ts";
import { orderProblem } from "../../core/check_order.ts";
import { empty, type SessionState } from "../../core/fold.ts";
import { headOf, headProblem } from "./head.ts";
import type { Pieces } from "./pieces.ts";

/** What ends the first line: after it, one message a line. */
export const HEAD_END = `"messages":[`;

/** What begins the line after the last message. */
export const ERRORS_START = `],"errors":[`;

/** Fields that are not the state's own but have their place in the file. */
const FILE_FIELDS = ["version", "id", "errorCount", "open", "parent"];

/** Every top-level field this version knows. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(empty()),
  ...FILE_FIELDS,
]);

/** Throws when the state, once written, could not be read back. */
export function checkWritable(id: string, state: SessionState): void {
  const problem = headProblem(headOf(id, state), id) ??
    orderProblem(state.messages, state.seq) ??
    errorsProblem(state);
  if (problem) throw new TypeError(`Cannot save session ${id}: ${problem}`);
}

/** The bytes of a session file, piece by piece. */
export function* format(
  id: string,
  state: SessionState,
  pieces: Pieces,
): Generator<Uint8Array> {
  const { messages, errors } = state;
  const encoder = new TextEncoder();
  const head = JSON.stringify(headOf(id, state)).slice(0, -1);
  yield encoder.encode(`${head},${HEAD_END}\n`);
  let first = true;
  for (const part of pieces.parts(messages)) {
    if (!first) yield COMMA;
    yield part;
    first = false;
  }
  if (!first) yield NEWLINE;
  const lines = errors.map((e) => JSON.stringify(e)).join(",\n");
  yield encoder.encode(
    `${ERRORS_START}\n${lines}${lines && "\n"}]${unknown(state)}}\n`,
  );
}

const COMMA = new TextEncoder().encode(",\n");
const NEWLINE = new TextEncoder().encode("\n");

// A newer version of the same format wrote them; they pass through, last.
function unknown(state: SessionState): string {
  return Object.entries(state)
    .filter(([key, value]) => !KNOWN.has(key) && value !== undefined)
    .map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join("");
}

function errorsProblem({ errors }: SessionState): string | undefined {
  for (const [i, error] of errors.entries()) {
    const problem = failureProblem(error);
    if (problem) return `error ${i + 1}: ${problem}`;
  }
  return undefined;
}
