import { isUtf8 } from "node:buffer";
import { failureProblem } from "../../core/check_failure.ts";
import { storedProblem } from "../../core/check_message.ts";
import { orderProblem } from "../../core/check_order.ts";
import type { SessionState, StoredFailure } from "../../core/fold.ts";
import { errorLine } from "../../core/error.ts";
import { isObject, tryParse } from "../../core/json.ts";
import type { StoredMessage } from "../../core/message.ts";
import { checkTextLength } from "../files/bytes.ts";
import { unreadable } from "../files/errors.ts";
import { pause } from "../files/pause.ts";
import { KNOWN } from "./format.ts";
import { headProblem } from "./head.ts";
import { split, splitLines } from "./split.ts";

/** Where bytes come from, and who may keep the bytes of messages that need no more serialising. */
export interface Source {
  readonly path: string;
  readonly id: string;
  readonly keep?: (
    messages: readonly StoredMessage[],
    bytes: Uint8Array,
  ) => void;
}

/** Reads a session file's bytes, in our own layout or any other. Throws UnreadableError. */
export async function parse(
  bytes: Uint8Array,
  source: Source,
): Promise<SessionState> {
  if (!isUtf8(bytes)) {
    throw unreadable(source.path, "it is damaged (not valid UTF-8)");
  }
  const record = await byLine(bytes, source) ?? whole(bytes, source);
  const { head, messages, errors } = record;
  const problem = orderProblem(messages, Number(head.seq));
  if (problem) throw unreadable(source.path, problem);
  return stateOf(head, messages, errors);
}

type Fields = Readonly<Record<string, unknown>>;

interface Raw {
  readonly head: Fields;
  readonly messages: readonly StoredMessage[];
  readonly errors: readonly StoredFailure[];
}

// In small steps: parsing the whole at once would double the memory and freeze the screen.
async function byLine(
  bytes: Uint8Array,
  source: Source,
): Promise<Raw | undefined> {
  const parts = split(bytes);
  const head = parts && tryParse(`${text(parts.head)}]}`);
  const tail = parts && tryParse(`{"messages":[${text(parts.tail)}`);
  if (!parts || !isObject(head) || !isObject(tail)) return undefined;
  const { messages: none, errors, ...unknown } = tail;
  // A known field down there would be a second one of its name.
  if (!Array.isArray(none) || none.length > 0) return undefined;
  if (Object.keys(unknown).some((key) => KNOWN.has(key))) return undefined;
  checkHead(head, source);
  const messages: StoredMessage[] = [];
  for (const block of parts.blocks) {
    const some = splitLines(block).map((line) => tryParse(text(line)));
    if (some.includes(undefined)) return undefined;
    const before = messages.length;
    some.forEach((m, i) => checkMessage(m, before + i, source));
    source.keep?.(some as StoredMessage[], block);
    messages.push(...some as StoredMessage[]);
    await pause();
  }
  checkErrors(errors, source);
  return { head: { ...head, ...unknown }, messages, errors: errors ?? [] };
}

// A person or jq laid it out anew: valid all the same.
function whole(bytes: Uint8Array, source: Source): Raw {
  let head: unknown;
  try {
    head = JSON.parse(text(bytes));
  } catch (error) {
    throw unreadable(source.path, syntaxReason(error, bytes), error);
  }
  checkHead(head, source);
  const { messages, errors } = head;
  if (!Array.isArray(messages)) {
    throw unreadable(source.path, `its "messages" is not a list`);
  }
  messages.forEach((m, i) => checkMessage(m, i, source));
  checkErrors(errors, source);
  return { head, messages, errors: errors ?? [] };
}

function syntaxReason(error: unknown, bytes: Uint8Array): string {
  const said = errorLine(error).slice(0, 160);
  const at = Number(/position (\d+)/.exec(said)?.[1] ?? -1);
  return /unexpected end|unterminated/i.test(said) || at >= text(bytes).length
    ? `it is cut off (${said})`
    : `it is not valid JSON (${said})`;
}

// The loose decoder is ten times faster, and isUtf8 has already been asked.
const decoder = new TextDecoder();

function text(bytes: Uint8Array): string {
  checkTextLength(bytes);
  return decoder.decode(bytes);
}

function checkHead(
  head: unknown,
  { path, id }: Source,
): asserts head is Fields {
  const problem = headProblem(head, id);
  if (problem) throw unreadable(path, problem);
}

function checkMessage(
  message: unknown,
  index: number,
  { path }: Source,
): asserts message is StoredMessage {
  const problem = storedProblem(message);
  if (problem) throw unreadable(path, `message ${index + 1}: ${problem}`);
}

function checkErrors(
  errors: unknown,
  { path }: Source,
): asserts errors is readonly StoredFailure[] | undefined {
  if (errors === undefined) return;
  if (!Array.isArray(errors)) {
    throw unreadable(path, `its "errors" is not a list`);
  }
  for (const [i, error] of errors.entries()) {
    const problem = failureProblem(error);
    if (problem) throw unreadable(path, `error ${i + 1}: ${problem}`);
  }
}

// Unknown fields stay in the state, so that every fold hands them on.
function stateOf(
  head: Fields,
  messages: readonly StoredMessage[],
  errors: readonly StoredFailure[],
): SessionState {
  const { version: _v, id: _i, errorCount: _e, ...state } = head;
  return {
    contextTokens: 0,
    truncated: false,
    ...state,
    messages,
    errors,
  } as unknown as SessionState;
}
