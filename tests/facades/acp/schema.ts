import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with {
  type: "json",
};
import Ajv, { type ValidateFunction } from "ajv/dist/2020.js";

/**
 * Checks every line an agent writes against ACP's own JSON schema: params by
 * their method, results by the method of the request they answer.
 */
export class LineCheck {
  /** Lines seen. */
  count = 0;
  readonly #methods = new Map<string, string[]>();

  /** Notes what the client asks, so that results can be told apart. */
  sent(message: unknown): void {
    const { id, method } = (message ?? {}) as Record<string, unknown>;
    if (id === undefined || typeof method !== "string") return;
    const key = JSON.stringify(id);
    this.#methods.set(key, [...this.#methods.get(key) ?? [], method]);
  }

  /** Throws, with the line, unless it is what ACP allows an agent to write. */
  line(line: string): Record<string, unknown> {
    this.count++;
    try {
      return this.#check(line);
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${message}\nin ${line.slice(0, 2000)}`, {
        cause: error,
      });
    }
  }

  #check(line: string): Record<string, unknown> {
    if (/[\r\n]/.test(line)) throw new Error("A line break inside a message");
    const message = JSON.parse(line) as Record<string, unknown>;
    valid("#", message);
    const { id, method, params, error, result } = message;
    if (method !== undefined) {
      const kind = id === undefined ? "Notification" : "Request";
      valid(`#/$defs/${definition(String(method), kind)}`, params);
    } else if (error !== undefined) {
      valid("#/$defs/Error", error);
      valid("#/$defs/RequestId", id);
    } else {
      valid("#/$defs/RequestId", id);
      const methods = this.#methods.get(JSON.stringify(id)) ?? [];
      const known = methods.map((m) => BY_METHOD.get(`${m} Response`));
      if (methods.length === 0) throw new Error("A result nobody asked for");
      // Which of two requests with one id it answers cannot be told.
      const fits = known.some((name) => {
        if (name === undefined) return true; // an extension
        return validator(`#/$defs/${name}`)(result);
      });
      const [first] = known;
      if (!fits && first) valid(`#/$defs/${first}`, result);
    }
    return message;
  }
}

const ajv = new Ajv.default({
  strict: false,
  validateFormats: false,
  allErrors: false,
});
ajv.addSchema(schema, "acp");

const BY_METHOD = new Map(
  Object.entries(schema.$defs).flatMap(([name, def]) => {
    const { "x-method": method } = def as { "x-method"?: string };
    const kind = /(Request|Response|Notification)$/.exec(name)?.[0];
    return method && kind ? [[`${method} ${kind}`, name] as const] : [];
  }),
);

function definition(method: string, kind: string): string {
  const name = BY_METHOD.get(`${method} ${kind}`);
  if (name) return name;
  throw new Error(`An agent cannot send a ${kind} "${method}"`);
}

const validators = new Map<string, ValidateFunction>();

function validator(ref: string): ValidateFunction {
  let found = validators.get(ref);
  if (!found) {
    found = ajv.compile({ $ref: ref === "#" ? "acp" : `acp${ref}` });
    validators.set(ref, found);
  }
  return found;
}

function valid(ref: string, value: unknown): void {
  const validate = validator(ref);
  if (validate(value)) return;
  throw new Error(`Not ${ref}: ${ajv.errorsText(validate.errors)}`);
}
