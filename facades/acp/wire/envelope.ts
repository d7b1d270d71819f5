/** A JSON-RPC message that may be handed on. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: Id;
  readonly method?: string;
  readonly [more: string]: unknown;
}

/** What names a request. */
export type Id = string | number | null;

/** Why a line is no message. What it held is never told back: it may be a secret. */
export interface Refusal {
  readonly id: Id;
  readonly code: number;
  readonly message: string;
}

/** Tells messages from what is none. */
export function check(value: unknown): Message | Refusal {
  if (Array.isArray(value)) return refuse(null, "Batches are not supported");
  if (typeof value !== "object" || value === null) {
    return refuse(null, "A message is a JSON object");
  }
  const { jsonrpc, id, method } = value as Record<string, unknown>;
  const answer = !("method" in value);
  const known = isId(id) ? id : null;
  // An answer to an answer would never end.
  const to = answer ? null : known;
  if (jsonrpc !== "2.0") return refuse(to, 'jsonrpc must be "2.0"');
  if (!answer && typeof method !== "string") {
    return refuse(to, "method must be a string");
  }
  if (answer && !("result" in value || "error" in value)) {
    return refuse(null, "A message has a method, a result or an error");
  }
  if ("id" in value && !isId(id)) {
    return refuse(null, "id must be a string, a whole number or null");
  }
  return value as Message;
}

/** Tells the two apart. */
export function isRefusal(value: Message | Refusal): value is Refusal {
  return !("jsonrpc" in value);
}

/** True for a message that waits for an answer. */
export function isRequest(message: Message): message is Message & { id: Id } {
  return message.method !== undefined && message.id !== undefined;
}

function refuse(id: Id, message: string): Refusal {
  return { id, code: -32600, message: `Invalid request: ${message}` };
}

function isId(id: unknown): id is Id {
  return id === null || typeof id === "string" ||
    (typeof id === "number" && Number.isInteger(id));
}
