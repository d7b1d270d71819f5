/** Runs `work` for at most `ms`; its signal aborts then, or with `signal`. */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new Error(`it did not answer within ${ms / 1000} s`)),
    ms,
  );
  const all = AbortSignal.any([signal, limit.signal]);
  try {
    return await Promise.race([work(all), aborted(all)]);
  } catch (error) {
    all.throwIfAborted(); // the reason, and not what became of it on the way
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
