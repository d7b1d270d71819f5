/** One line of a benchmark: a value, what it is measured against, and how many times that it may be. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly baseline: number;
  readonly target: number;
  /** Default `ms`. */
  readonly unit?: string;
}

/** Medians in ms of `a` and `b`, run in turn so that a noisy moment hits both; one warm-up each. */
export async function interleaved(
  runs: number,
  a: () => unknown,
  b: () => unknown,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i <= runs; i++) {
    const pair = [await time(a), await time(b)] as const;
    if (i === 0) continue;
    times[0].push(pair[0]);
    times[1].push(pair[1]);
  }
  return [median(times[0]), median(times[1])];
}

/** The middle value; the mean of the two middle ones when there is an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y);
  const half = sorted.length / 2;
  const low = sorted[Math.ceil(half) - 1] ?? NaN;
  const high = sorted[Math.floor(half)] ?? NaN;
  return (low + high) / 2;
}

/** `name  value  baseline  ratio  target  verdict`, in columns. */
export function format(row: Row): string {
  const { name, value, baseline, target, unit = "ms" } = row;
  const ratio = value / baseline;
  return [
    name.padEnd(34),
    `${round(value)} ${unit}`.padStart(14),
    `${round(baseline)} ${unit}`.padStart(14),
    `× ${ratio.toFixed(2)}`.padStart(9),
    `target ≤ ${target}`.padStart(14),
    ratio <= target ? "ok" : "MISSED",
  ].join("  ");
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}
