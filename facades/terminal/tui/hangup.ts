import process from "node:process";

/**
 * Watches for a terminal that goes away (its window is closed): `gone` hears
 * of it, once, and what the terminal no longer takes is dropped, where the
 * error of a write would end the program in the middle of its turn.
 */
export function onHangup(gone: () => void): void {
  const { stdin, stdout } = process;
  let lost = false;
  const lose = () => {
    if (lost) return;
    lost = true;
    gone();
  };
  const write = stdout.write.bind(stdout) as (...args: unknown[]) => boolean;
  stdout.write = ((...args: unknown[]) => {
    if (lost) return true;
    try {
      return write(...args);
    } catch {
      lose();
      return true;
    }
  }) as typeof stdout.write;
  stdout.on("error", lose); // a write may also fail later
  for (const event of ["end", "error"]) stdin.on(event, lose);
}
