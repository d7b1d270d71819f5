/** Asks on the terminal; anything but a plain yes is a no. */
export async function confirm(question: string): Promise<boolean> {
  await Deno.stderr.write(new TextEncoder().encode(`${question} [y/N] `));
  const buffer = new Uint8Array(256);
  const read = await Deno.stdin.read(buffer);
  const answer = new TextDecoder().decode(buffer.subarray(0, read ?? 0));
  return /^y(es)?$/i.test(answer.trim());
}
