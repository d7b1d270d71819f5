import { readText } from "./read_text.ts";
import { UsageError } from "./usage_error.ts";

/** How a server is reached that has a certificate of its own. */
export interface Trusting {
  readonly WebSocket: typeof WebSocket;
  readonly fetch: typeof fetch;
}

/** Trusts the certificate in `file`, PEM, besides those of the system. Throws a UsageError. */
export async function trusting(file: string): Promise<Trusting> {
  const read = await readText(file, 1024 * 1024);
  if ("problem" in read) {
    throw new UsageError(`Cannot read "${file}": ${read.problem}`);
  }
  const client = Deno.createHttpClient({ caCerts: [read.text] });
  return {
    WebSocket: class extends WebSocket {
      constructor(
        url: string | URL,
        given: string | string[] | WebSocketOptions = {},
      ) {
        const plain = typeof given === "string" || Array.isArray(given);
        const options = { ...plain ? { protocols: given } : given, client };
        // The types of browsers, which a check of the whole has too, know none.
        super(url, options as unknown as string[]);
      }
    },
    fetch: (input, init) => fetch(input, { ...init, client }),
  };
}
