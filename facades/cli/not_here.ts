import { nearest } from "../../core/nearest.ts";
import type { FoundServer } from "./detect.ts";
import { UsageError } from "./usage_error.ts";

/** The error of a model that none of the servers found has. */
export function notHere(
  name: string,
  servers: readonly FoundServer[],
): UsageError {
  const models = servers.flatMap((s) => s.models);
  const close = nearest(name, models);
  const way = close !== undefined
    ? `did you mean "${close}"?`
    : models.length > 0
    ? `there is ${models.slice(0, 10).join(", ")}; or give --base-url`
    : "no model server answers; start it, or give --base-url";
  return new UsageError(`Cannot find model "${name}" on this machine: ${way}`);
}
