import { readText } from "./read_text.ts";
import { UsageError } from "./usage_error.ts";

/** The certificates in `file`, PEM. Throws a UsageError. */
export async function readCert(file: string): Promise<string> {
  const read = await readText(file, 1024 * 1024);
  const problem = "problem" in read
    ? read.problem
    : /-----BEGIN CERTIFICATE-----/.test(read.text)
    ? undefined
    : "there is no certificate in it, in PEM";
  if ("text" in read && problem === undefined) return read.text;
  throw new UsageError(`Cannot read "${file}": ${problem}`);
}
