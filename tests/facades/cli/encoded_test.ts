import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { encoded } from "../../../facades/cli/encoded.ts";

Deno.test("encoded() gives the bytes of a text, whatever its pieces cut", () => {
  const texts = ["", "a", "é日😀", "\ud800 half", "😀".repeat(50_000)];
  for (const shift of ["", "x", "xx", "xxx"]) {
    texts.push(shift + "日".repeat(70_000), shift + "é😀".repeat(40_000));
  }
  for (const text of texts) {
    // Each piece is copied: they share a buffer.
    const bytes = Buffer.concat(Array.from(encoded(text), (b) => b.slice()));
    assert(bytes.equals(new TextEncoder().encode(text)), text.slice(0, 9));
  }
});
