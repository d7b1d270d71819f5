import { parse } from "yaml";
import type { Use } from "../../../core/config.ts";
import { same } from "../../../core/same.ts";
import { shellWord } from "../come_back.ts";
import { written } from "./written.ts";

/**
 * What `mm sessions copy --from` takes for a configured store, as a shell reads
 * it. What the environment filled in is left out: that may be a secret.
 */
export function storeText(store: Use, agentYaml = ""): string {
  if (typeof store === "string") return shellWord(store);
  const { sessions } = parse(agentYaml, { logLevel: "error" }) ?? {};
  return shellWord(
    same(sessions?.store, store)
      ? written(store)
      : `{ use: ${store.use}, … as it was }`,
  );
}
