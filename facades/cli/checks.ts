import { openModel, type Parts } from "../../core/assemble.ts";
import { parseUse } from "../../core/config.ts";
import { errorLine } from "../../core/error.ts";
import { powerLine } from "../../core/power_line.ts";
import type { Loaded } from "./load_config.ts";
import { version } from "./version.ts";

/** One thing `mm doctor` looked at. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
}

/** Which mm this is, for reports. */
export function checkVersion(): Check {
  const { deno } = Deno.version;
  const detail = `mm ${version} (Deno ${deno}, ${Deno.build.target})`;
  return { name: "version", status: "ok", detail };
}

/** What agent.yaml would do, and may not: a notice says how it may. */
export function checkTrust({ trust }: Loaded): Check[] {
  if (!trust || trust.given) return [];
  return trust.powers.map((power) => ({
    name: "not trusted",
    status: "warn",
    detail: powerLine(power),
  }));
}

/** Is the server there, and does it have the model? */
export async function checkModel(parts: Parts): Promise<Check[]> {
  const check = (status: Check["status"], detail: string) => [
    { name: "model", status, detail },
  ];
  try {
    const model = await openModel(parts);
    if (model.notice) {
      return check("warn", model.notice);
    }
    if (!model.models) {
      return check("ok", `${model.name} (its server cannot be asked)`);
    }
    const names = await model.models(AbortSignal.timeout(SERVER_MS));
    const { name, baseURL } = parseUse(parts.config.model ?? "demo").options;
    const where = typeof baseURL === "string" ? ` at ${baseURL}` : "";
    const some = names.slice(0, 10).join(", ") || "none";
    if (name === undefined && names.length > 0) {
      return check("ok", `the server's first${where}; it has ${some}`);
    }
    if (names.includes(model.name)) {
      return check("ok", `${model.name}${where}`);
    }
    return check(
      "fail",
      `the server does not have "${model.name}"; it has ${some}`,
    );
  } catch (error) {
    return check("fail", errorLine(error));
  }
}

const SERVER_MS = 5000;
