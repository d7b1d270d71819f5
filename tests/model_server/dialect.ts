/** An answer to script. */
export interface Scripted {
  readonly text?: string;
  readonly thought?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: { input: number; output: number; cached?: number };
  /** The server's own word for why it stopped. */
  readonly finish?: string;
  /** Between two pieces. */
  readonly delayMs?: number;
}

/** A tool call to script; a string for `arguments` is sent as it is. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly id?: string;
}

/** How one API writes things on the wire. */
export interface Dialect {
  readonly name: "openai" | "anthropic";
  /** The answer as server-sent events, one string each; the last ones end it. */
  frames(answer: Scripted): string[];
  /** The frames that make an answer complete: without them it is truncated. */
  readonly ending: number;
  /** The answer as one JSON object. */
  whole(answer: Scripted): unknown;
  /** An error as a JSON body. */
  error(message: string, type: string, status: number): unknown;
  /** An error in the middle of a stream. */
  errorFrame(message: string, type: string, status: number): string;
  models(names: readonly string[]): unknown;
}

/** Cuts text into words, spaces kept. */
export function words(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text ? [text] : []);
}

/** Cuts a call's arguments into pieces, as servers do. */
export function argumentPieces(value: unknown): string[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.match(/[\s\S]{1,7}/g) ?? [""];
}
