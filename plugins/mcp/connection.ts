import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/types"
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { looseObject } from "zod/mini";
import type { ToolContext, ToolResult } from "../../core/tool.ts";
import type { JsonObject } from "../../core/json.ts";
import { openLink } from "./link.ts";
import type { Launch } from "./launch.ts";
import { describe } from "./describe.ts";
import { type Listing, listTools } from "./listing.ts";
import { plain } from "./plain.ts";
import { toolResult } from "./result.ts";
import { within } from "./within.ts";

/** A server that answers. */
export interface Connection {
  /** The tools it offered when it was last asked. */
  readonly listing: Listing;
  /** Why it is gone; undefined while it is there. */
  readonly lost: string | undefined;
  call(
    name: string,
    input: JsonObject,
    context: ToolContext,
  ): Promise<ToolResult>;
  close(): Promise<void>;
}

/** How a server is met. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  /** Of mm. */
  readonly version: string;
  /** Called after the server said that its tools changed, and they were read. */
  onChange(listing: Listing): void;
}

/** A call that says nothing for so long has failed. */
const CALL_MS = 10 * 60_000;
/** Answers are read by hand: a server's slip in one block is not to cost the rest. */
const Answer = looseObject({});

/** Starts a server and reads its tools; throws an Error that says why it cannot be used. */
export async function connect(
  launch: Launch,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const { transport, evidence } = await openLink(launch);
  const client = new Client({ name: "mm", version: options.version });
  const { timeoutMs } = options;
  const limits = { timeout: timeoutMs + 1000 };
  const list = (signal: AbortSignal) =>
    listTools((cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      const request = { method: "tools/list", params };
      return client.request(request, Answer, { ...limits, signal });
    });
  let listing: Listing;
  let lost: string | undefined;
  const ended = new AbortController();
  client.onclose = () => {
    lost ??= evidence() || "it closed the connection";
    ended.abort();
  };
  try {
    listing = await within(timeoutMs, signal, async (signal) => {
      await client.connect(transport, { ...limits, signal });
      if (client.getServerCapabilities()?.tools) return await list(signal);
      return { offers: [], problems: ["it offers no tools"] };
    });
  } catch (error) {
    await transport.close();
    throw new Error(describe(error, evidence()), { cause: error });
  }
  follow(client, () => within(timeoutMs, ended.signal, list), (changed) => {
    listing = changed;
    options.onChange(changed);
  });
  return {
    get listing() {
      return listing;
    },
    get lost() {
      return lost;
    },
    async call(name, input, context) {
      const params = { name, arguments: { ...input } };
      const request = { method: "tools/call", params };
      return toolResult(
        await abortable(
          context.signal,
          (signal) =>
            client.request(request, Answer, {
              signal,
              timeout: CALL_MS,
              resetTimeoutOnProgress: true,
              onprogress: (progress) => context.output(progressLine(progress)),
            }),
        ),
      );
    },
    close: () => transport.close(),
  };
}

/** Reads the list again whenever the server says so; never twice at a time. */
function follow(
  client: Client,
  list: () => Promise<Listing>,
  onChange: (listing: Listing) => void,
): void {
  let reading = false;
  let again = false;
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
    again = true;
    if (reading) return;
    reading = true;
    try {
      while (again) {
        again = false;
        onChange(await list());
      }
    } catch {
      // The list stays as it was; if the server is gone, the next call says so.
    } finally {
      reading = false;
    }
  });
}

/** Gives `work` a signal of its own: the SDK would cancel a finished request again. */
async function abortable<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await work(own.signal);
  } catch (error) {
    signal.throwIfAborted(); // the reason, and not the SDK's wrapping
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function progressLine(
  { progress, total, message }: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  },
): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message ? `${plain(message)} (${count})\n` : `${count}\n`;
}
