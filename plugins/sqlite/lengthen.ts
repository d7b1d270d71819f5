import { closeSync, ftruncateSync, openSync, readSync } from "node:fs";
import { sizeOf } from "./open.ts";

/**
 * Makes a database whose end is missing as long as it says it was, until it is
 * disposed of: SQLite reads nothing of one that is shorter. What was lost
 * reads as damaged pages.
 */
export function lengthened(path: string): Disposable {
  const size = sizeOf(path);
  const whole = sizeOf(`${path}-wal`) > 0 ? size : saidSize(path);
  const short = size > 0 && whole > size && whole <= MOST * size;
  if (short) resize(path, whole);
  return {
    [Symbol.dispose]() {
      if (short) resize(path, size);
    },
  };
}

// A size beyond belief is damaged itself.
const MOST = 1000;

function saidSize(path: string): number {
  const fd = openSync(path, "r");
  try {
    const head = new DataView(new ArrayBuffer(100));
    readSync(fd, head, 0, 100, 0);
    const page = head.getUint16(16);
    return (page === 1 ? 65536 : page) * head.getUint32(28);
  } finally {
    closeSync(fd);
  }
}

function resize(path: string, size: number): void {
  const fd = openSync(path, "r+");
  try {
    ftruncateSync(fd, size);
  } finally {
    closeSync(fd);
  }
}
