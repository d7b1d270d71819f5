// @ts-types="@modelcontextprotocol/sdk/client/sse"
import {
  SSEClientTransport,
  SseError,
} from "@modelcontextprotocol/sdk/client/sse.js";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import { AnsweredTransport } from "./answered.ts";
import type { Launch } from "./launch.ts";

/** The way to a server on the web: streamable HTTP, or the older SSE. */
export function webTransport(
  { type, url, headers }: Exclude<Launch, { type: "stdio" }>,
): Transport {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new TypeError("its url is no http or https URL");
  }
  const requestInit = { headers: { ...headers } };
  if (type === "http") {
    return new AnsweredTransport((fetch) =>
      new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch })
    );
  }
  const transport = new SSEClientTransport(new URL(url), { requestInit });
  // A stream that broke has lost its calls; the SDK would wait for them on.
  // Closed after the event, or a timer to connect again would be set yet.
  transport.onerror = (error) => {
    if (error instanceof SseError) queueMicrotask(() => transport.close());
  };
  return transport;
}
