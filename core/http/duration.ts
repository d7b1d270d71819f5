const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** How a duration is written: `90s`, `2m`, `1.5h`, `500ms`; a bare number means seconds. */
export const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/;

/** A duration in milliseconds. Throws RangeError when it is written wrongly. */
export function milliseconds(duration: number | string): number {
  if (typeof duration === "number") return duration * 1000;
  const [, count, unit = "s"] = DURATION.exec(duration.trim()) ?? [];
  if (count === undefined) {
    throw new RangeError(
      `Cannot read duration "${duration}": write it like 90s or 2m`,
    );
  }
  return Number(count) * (UNITS[unit] ?? 1000);
}

/** A duration for people: `0.5 s`, `90 s`, `12 min`, `3 h`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms <= 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms <= 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
