/** What the exit code of `mm` says. A signal gives 128 and its number. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  cancelled: 130,
} as const;
