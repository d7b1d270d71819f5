import type { Tool, ToolContext, ToolResult } from "../../core/tool.ts";
import { errorLine } from "../../core/error.ts";
import { headerSecrets, redactor } from "../../core/http/redact.ts";
import { connect, type Connection } from "./connection.ts";
import { describe, httpStatus } from "./describe.ts";
import type { JsonObject } from "../../core/json.ts";
import { isSecretName } from "../../core/variables.ts";
import type { Launch } from "./launch.ts";
import type { Offer } from "./listing.ts";
import { plain } from "./plain.ts";
import { mcpTool } from "./tool.ts";

/** What every server is started with. */
export interface ServerOptions {
  /** How long it may take to start. */
  readonly timeoutMs: number;
  /** Of mm. */
  readonly version: string;
}

/** One server of a session, for as long as the session lasts. */
export class Server {
  readonly #launch: Launch;
  readonly #options: ServerOptions;
  readonly #life = new AbortController();
  #connection: Connection | undefined;
  #starting: Promise<Connection> | undefined;
  readonly #redact: (text: string) => string;
  #restarted = false; // since the last call that was answered
  /** What the model is offered; it may change at any time. */
  tools: readonly Tool[] = [];

  constructor(launch: Launch, options: ServerOptions) {
    this.#launch = launch;
    this.#options = options;
    this.#redact = redactor(secretsOf(launch));
  }

  /** Starts it; resolves to the lines to show about it. */
  async start(signal: AbortSignal): Promise<readonly string[]> {
    try {
      const { listing } = await this.#start(signal);
      const [first, second, third, ...more] = listing.problems;
      const shown = [first, second, third].filter(Boolean).join("; ");
      if (!shown) return [];
      return [
        `${this.#title}: ${shown}${
          more.length ? ` (and ${more.length} more)` : ""
        }`,
      ];
    } catch (error) {
      return [`Cannot use ${this.#title}: ${this.#line(error)}`];
    }
  }

  /** Stops it, for good. */
  async close(): Promise<void> {
    this.#life.abort(new Error("it is closed"));
    this.tools = [];
    await this.#starting?.catch(() => {}); // told to whoever started it
    await this.#connection?.close();
  }

  get #title(): string {
    return `MCP server "${plain(this.#launch.name, 60)}"`;
  }

  #line(error: unknown): string {
    return this.#redact(errorLine(error));
  }

  async #call(
    name: string,
    input: JsonObject,
    context: ToolContext,
  ): Promise<ToolResult> {
    const connection = await this.#running(context.signal);
    try {
      const result = await connection.call(name, input, context);
      this.#restarted = false;
      return result;
    } catch (error) {
      context.signal.throwIfAborted();
      // The server forgot our session, and so did nothing: MCP has us open another.
      if (httpStatus(error) === 404 && !this.#restarted) {
        await connection.close();
        return await this.#call(name, input, context);
      }
      const why = connection.lost === undefined
        ? `: ${describe(error, "")}`
        : ` stopped during the call: ${connection.lost}`;
      throw new Error(`${this.#title}${this.#redact(why)}`, { cause: error });
    }
  }

  /** The connection; one that was lost is made again, once until a call is answered. */
  async #running(signal: AbortSignal): Promise<Connection> {
    const connection = await this.#starting ?? this.#connection;
    if (connection && connection.lost === undefined) return connection;
    this.#life.signal.throwIfAborted();
    if (this.#restarted) {
      const lost = this.#redact(connection?.lost ?? "");
      throw new Error(`${this.#title} is gone: ${lost}`);
    }
    this.#restarted = true;
    try {
      return await this.#start(signal);
    } catch (error) {
      if (signal.aborted) this.#restarted = false;
      signal.throwIfAborted();
      throw new Error(
        `${this.#title} is gone and cannot be restarted: ${this.#line(error)}`,
        { cause: error },
      );
    }
  }

  async #start(signal: AbortSignal): Promise<Connection> {
    const all = AbortSignal.any([signal, this.#life.signal]);
    this.#starting = connect(this.#launch, {
      ...this.#options,
      onChange: ({ offers }) => this.#offer(offers),
    }, all);
    try {
      this.#connection = await this.#starting;
      this.#offer(this.#connection.listing.offers);
      return this.#connection;
    } finally {
      this.#starting = undefined;
    }
  }

  #offer(offers: readonly Offer[]): void {
    if (this.#life.signal.aborted) return;
    this.tools = offers.map((offer) =>
      mcpTool(
        this.#launch.name,
        offer,
        (name, input, context) => this.#call(name, input, context),
      )
    );
  }
}

// A server may repeat, on its stderr or in an answer, what it was given.
function secretsOf(launch: Launch): readonly string[] {
  if (launch.type !== "stdio") return headerSecrets(launch.headers);
  return Object.entries(launch.env).flatMap(([name, value]) =>
    isSecretName(name) ? [value] : []
  );
}
