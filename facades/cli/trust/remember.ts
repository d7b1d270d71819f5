import { errorLine, UserError } from "../../../core/error.ts";
import type { Power } from "../../../core/powers.ts";
import { trust } from "./trusted.ts";

/** Trusts a project with that from now on; what to tell when it holds for this time alone. */
export async function remember(
  powers: readonly Power[],
  project: string,
): Promise<string[]> {
  try {
    await trust(project, powers);
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [`${errorLine(error)}; you will be asked again`];
  }
}
