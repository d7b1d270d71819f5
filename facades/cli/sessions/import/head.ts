/** The first bytes of a file, 100 at most: they tell what it is. */
export async function headOf(path: string): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const head = new Uint8Array(100);
  return head.subarray(0, await file.read(head) ?? 0);
}
