/** A mistake the user can mend: shown as its message alone, with no stack. */
export class UserError extends Error {
  /** The class, for logs. */
  override readonly name: string = "UserError";
}

/** agent.yaml, a flag or a plugin option is wrong. The message says where and what is right. */
export class ConfigError extends UserError {
  /** The class, for logs. */
  override readonly name = "ConfigError";
}

/** The record moved on since it was read: another process wrote, moved or removed it. */
export class ConflictError extends Error {
  /** The class, for logs. */
  override readonly name = "ConflictError";
}

/** A stored session exists but cannot be read; its bytes are left as they are. */
export class UnreadableError extends UserError {
  /** The class, for logs. */
  override readonly name = "UnreadableError";
}

/** What a model call can fail by; the turn acts on `overflow` alone. */
export type ModelErrorKind =
  | "network"
  | "http"
  | "auth"
  | "protocol"
  | "overflow"
  | "watchdog"
  | "empty";

/** A model call that gave no usable answer. `message` is one line; `raw` holds what the server said. */
export class ModelError extends Error {
  /** The class, for logs. */
  override readonly name = "ModelError";
  /** What failed. */
  readonly kind: ModelErrorKind;
  /** What the server said, where that helps. */
  readonly raw?: string;

  /** `message` is one line, shown as it is. */
  constructor(
    kind: ModelErrorKind,
    message: string,
    options: { raw?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    if (options.raw !== undefined) this.raw = options.raw;
  }
}

/** One line that says what went wrong, for a person. */
export function errorLine(error: unknown): string {
  const text = orNothing(() =>
    error instanceof Error ? error.message || error.name : error
  );
  return text.replaceAll(/\s*[\r\n]+\s*/g, " ").trim() || "Unknown error";
}

/** What an error says beyond its line; undefined when that is nothing. */
export function errorRaw(error: unknown): string | undefined {
  if (error instanceof ModelError && error.raw) return error.raw;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return undefined;
  const text = orNothing(() =>
    cause instanceof Error ? cause.stack ?? cause.message : cause
  );
  return text.slice(0, 4000) || undefined;
}

// Anything can be thrown, even what refuses to become text.
function orNothing(text: () => unknown): string {
  try {
    return String(text());
  } catch {
    return "";
  }
}
