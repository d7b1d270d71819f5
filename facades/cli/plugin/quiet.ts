import { Console } from "node:console";
import process from "node:process";

/**
 * What plugins print goes to stderr, as all that is no answer: a line of theirs
 * on stdout would stand amid an answer, JSON or an editor's protocol.
 */
export function keepStdout(): void {
  const { error, warn } = console; // these go there already
  Object.assign(console, new Console(process.stderr), { error, warn });
}
