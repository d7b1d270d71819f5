import {
  _default,
  array,
  boolean,
  literal,
  maximum,
  minimum,
  minLength,
  number,
  optional,
  type output,
  record,
  refine,
  strictObject,
  string,
  union,
} from "zod/mini";

/** YAML reads `8080` and `true` as what they are; a program is given text. */
const Text = union([string(), number(), boolean()]);

const StdioServer = strictObject({
  type: optional(literal("stdio")),
  command: string().check(minLength(1)),
  args: _default(array(Text), []),
  env: _default(record(string(), Text), {}),
  cwd: optional(string()),
});

const HttpServer = strictObject({
  type: _default(union([literal("http"), literal("sse")]), "http"),
  url: string().check(refine(isWebAddress, "expected an http or https URL")),
  headers: _default(record(string(), Text), {}),
});

/** The servers of agent.yaml, and how many seconds each may take to start. */
export const OptionsSchema = strictObject({
  servers: _default(record(string(), union([StdioServer, HttpServer])), {}),
  timeout: _default(number().check(minimum(1), maximum(600)), 30),
});

/** The options, checked. */
export type Options = output<typeof OptionsSchema>;

function isWebAddress(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}
