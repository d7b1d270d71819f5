import deno from "../../deno.json" with { type: "json" };

/** What `mm --version` prints. */
export const version: string = deno.version;
