import type { Model } from "../../../core/model.ts";

/** A model that a server asks: from here it has a name. */
export function remoteModel(name: string, contextWindow?: number): Model {
  return {
    name,
    ...(contextWindow !== undefined && { contextWindow }),
    // deno-lint-ignore require-yield
    async *stream() {
      throw new TypeError("Cannot ask the model from here: the server does");
    },
  };
}
