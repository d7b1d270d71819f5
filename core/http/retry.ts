import { ModelError, type ModelErrorKind } from "../error.ts";
import type { ModelDelta } from "../model.ts";
import { duration } from "./duration.ts";

/** A failure that may pass: the same request can be sent again. */
export class TransientError extends ModelError {
  /** Short: `HTTP 503`, `connection refused`. */
  readonly reason: string;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: {
      reason: string;
      retryAfterMs?: number;
      raw?: string;
      cause?: unknown;
    },
  ) {
    super(kind, message, options);
    this.reason = options.reason;
    if (options.retryAfterMs !== undefined) {
      this.retryAfterMs = options.retryAfterMs;
    }
  }
}

/** How often and how patiently to try again. */
export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  /** First wait; each further one is twice as long, less up to half by chance. Default 500. */
  readonly backoffMs?: number;
  readonly random?: () => number;
  readonly now?: () => Date;
}

// A server that asks for more than this is not waited for.
const MAX_WAIT = 60_000;

/**
 * Runs `attempt` until it succeeds, fails for good, has shown something, or
 * was tried `retries + 1` times. Each wait is announced by a `retry` delta.
 */
export async function* retrying<T>(
  attempt: () => AsyncGenerator<ModelDelta, T>,
  policy: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, T> {
  for (let tries = 1;; tries++) {
    signal.throwIfAborted();
    const stream = attempt();
    let shown = false;
    try {
      let step = await stream.next();
      for (; !step.done; step = await stream.next()) {
        shown = true;
        yield step.value;
      }
      return step.value;
    } catch (error) {
      signal.throwIfAborted();
      if (shown || !(error instanceof TransientError)) throw error;
      if (tries > policy.retries) throw exhausted(error, tries);
      const waitMs = wait(error, tries, policy);
      yield { type: "retry", reason: error.reason, waitMs };
      await sleep(waitMs, signal);
    } finally {
      await stream.return(undefined as never);
    }
  }
}

/** Milliseconds that `Retry-After` (seconds or a date) or `retry-after-ms` asks for. */
export function retryAfter(headers: Headers, now: Date): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (exact && Number(exact) >= 0) return Number(exact);
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

function wait(
  error: TransientError,
  tries: number,
  { backoffMs = 500, random = Math.random, now = () => new Date() }:
    RetryPolicy,
): number {
  const asked = error.retryAfterMs;
  if (asked === undefined) {
    const full = Math.min(backoffMs * 2 ** (tries - 1), MAX_WAIT);
    return Math.round(full * (1 - random() / 2));
  }
  if (asked <= MAX_WAIT) return asked;
  const at = new Date(now().getTime() + asked);
  const time = Number.isNaN(at.getTime())
    ? ""
    : `, at ${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  throw new ModelError(
    error.kind,
    `${error.message}: try again in ${duration(asked)}${time}`,
    { cause: error, ...error.raw !== undefined && { raw: error.raw } },
  );
}

function exhausted(error: TransientError, tries: number): ModelError {
  if (tries === 1) return error;
  return new ModelError(error.kind, `${error.message} (${tries} attempts)`, {
    cause: error,
    ...error.raw !== undefined && { raw: error.raw },
  });
}
