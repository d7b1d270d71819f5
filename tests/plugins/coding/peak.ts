/**
 * The most memory held while `work` ran, in bytes above what was held before.
 * Of this thread alone: other files of tests run beside it in one process.
 */
export async function peakOf(work: () => Promise<void>): Promise<number> {
  const before = held();
  let top = before;
  const look = () => top = Math.max(top, held());
  const watch = setInterval(look, 20);
  try {
    await work();
    look();
  } finally {
    clearInterval(watch);
  }
  return top - before;
}

function held(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}
