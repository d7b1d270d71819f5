/**
 * Text that does nothing to a terminal but stand there: what a model or a file
 * said may hold sequences that move the cursor, retitle the window or worse.
 */
export function clean(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "");
}

const CONTROLS =
  // deno-lint-ignore no-control-regex -- all but tab and newline, and what reorders text
  /\x1b\[[\d;?]*[ -/]*[@-~]|[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
