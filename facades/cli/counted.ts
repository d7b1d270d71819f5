/** `1 conversation`, `2 conversations`. */
export function counted(n: number): string {
  return n === 1 ? "1 conversation" : `${n} conversations`;
}
