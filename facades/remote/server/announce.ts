import { renderUnicodeCompact } from "uqr";
import type { Addresses } from "./address.ts";
import { isLoopback } from "../../../core/loopback.ts";

/** What is told of a server. */
export interface Announcement extends Addresses {
  readonly token: string;
  readonly version: string;
  readonly pid: number;
}

/** The address that opens the page; the token stands where no server sees it. */
export function link(url: string, token: string): string {
  return `${url}#token=${token}`;
}

/** The address alone, for programs that read it. */
export function bareLines({ here, elsewhere, token }: Announcement): string {
  return [here, ...elsewhere].map((url) => `${link(url, token)}\n`).join("");
}

/** All of it as a line of JSON. */
export function jsonLine(
  { here, elsewhere, token, version, pid }: Announcement,
): string {
  return `${JSON.stringify({ url: here, elsewhere, token, version, pid })}\n`;
}

/** The same for people: with a code for a phone, and what to do next. */
export function forPeople(
  announcement: Announcement,
  color: boolean,
): string {
  const { here, elsewhere, token } = announcement;
  const [far = here] = elsewhere;
  const reach = !isLoopback(new URL(far).hostname)
    ? "Scan it, or open the address in a browser."
    : "Open it in a browser on this machine; mm serve --help says how a phone gets here.";
  return [
    "",
    bareLines(announcement),
    code(link(far, token), color),
    "",
    reach,
    "mm attach finds it in this project. Ctrl-C stops it.",
    "Whoever has the address can do all that you can.",
    "",
  ].join("\n");
}

// White on black, whatever the terminal's own colours: some readers need it so.
function code(text: string, color: boolean): string {
  const lines = renderUnicodeCompact(text, { ecc: "L", border: 2 });
  return color ? lines.replace(/^.+$/gm, "\x1b[97;40m$&\x1b[0m") : lines;
}
