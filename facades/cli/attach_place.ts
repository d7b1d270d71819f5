import { join } from "node:path";
import { serverNote } from "../table.ts";
import { UsageError } from "./usage_error.ts";

/** Where a server is, and what lets one in. */
export interface ServerPlace {
  /** `http://host:port/`. */
  readonly url: string;
  readonly token: string;
  /** Its certificate, PEM, where it says so itself. */
  readonly cert?: string;
}

/** The server an address means; without one the server of the project. Throws a UsageError. */
export async function serverPlace(
  address: string | undefined,
  token: string | undefined,
  project: string,
): Promise<ServerPlace> {
  if (token !== undefined && !/^[\w.~-]+$/.test(token)) {
    throw new UsageError(
      "Cannot use --token: a token has letters, digits and . _ ~ - only",
    );
  }
  const note = await noteIn(project);
  if (address === undefined) {
    if (typeof note === "object") return { ...note, ...(token && { token }) };
    throw new UsageError(
      note !== undefined
        ? `Cannot believe .mm/serve.json: ${note}; give the whole address that mm serve printed`
        : "Cannot find a server of this project: start one with mm serve, or give the address it printed",
    );
  }
  const { url, token: given } = parseAddress(address);
  const own = typeof note === "object" ? note : undefined;
  const known = token ?? given ?? (Deno.env.get("MM_TOKEN") || undefined) ??
    (own?.url === url ? own.token : undefined);
  const cert = own?.url === url ? own.cert : undefined;
  if (known !== undefined) return { url, token: known, ...(cert && { cert }) };
  throw new UsageError(
    `Cannot attach to ${url} without its token: give the whole address that mm serve printed, or --token`,
  );
}

/** The server that runs in the project by its own note; undefined when none does. */
export async function ownServer(
  project: string,
): Promise<ServerPlace | undefined> {
  const note = await noteIn(project);
  return typeof note === "object" ? note : undefined;
}

// A string says why the note is not believed.
async function noteIn(
  project: string,
): Promise<ServerPlace | string | undefined> {
  const readNote = await serverNote();
  const note = await readNote(join(project, ".mm", "serve.json"));
  if (typeof note !== "object") return note;
  const { url, token, cert } = note;
  return { url, token, ...(cert !== undefined && { cert }) };
}

/** Tells an address from the name of a conversation. */
export function isAddress(text: string): boolean {
  return /^(https?|wss?):\/\//i.test(text);
}

function parseAddress(
  address: string,
): { readonly url: string; readonly token?: string } {
  if (!isAddress(address) || !URL.canParse(address)) {
    throw new UsageError(
      `Cannot use the address "${address}": it looks like http://127.0.0.1:7345/#token=…`,
    );
  }
  const { protocol, host, pathname, hash } = new URL(address);
  const folder = pathname.replace(/[^/]*$/, "");
  const url = `${protocol.replace("ws", "http")}//${host}${folder}`;
  const token = new URLSearchParams(hash.slice(1)).get("token");
  return { url, ...(token && { token }) };
}
