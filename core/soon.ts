/** What `work` gives; "late" when that takes longer than `ms`. Then it goes on, and nobody waits for it. */
export async function soon<T>(
  work: Promise<T>,
  ms: number,
): Promise<T | "late"> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
