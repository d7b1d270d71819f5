import { join } from "node:path";
import { openModel, openStore, type Parts } from "../../core/assemble.ts";
import { parseUse } from "../../core/config.ts";
import { errorLine } from "../../core/error.ts";
import type { Store } from "../../core/store.ts";
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

/** Can every conversation be read, and is nothing left over? */
export async function checkSessions(parts: Parts): Promise<Check[]> {
  const name = "sessions";
  try {
    await using store = await openStore(parts);
    if (!store) {
      return [{
        name,
        status: "ok",
        detail: "not kept (sessions.enabled: false)",
      }];
    }
    return [
      ...await checkStore(store),
      ...await checkLeftovers(parts.host.project),
    ];
  } catch (error) {
    return [{ name, status: "fail", detail: errorLine(error) }];
  }
}

async function checkStore(store: Store): Promise<Check[]> {
  const { items } = await store.list({ limit: Number.MAX_SAFE_INTEGER });
  const bad = items.filter((s) => s.unreadable !== undefined);
  const readable = items.length - bad.length;
  return [
    {
      name: "sessions",
      status: "ok",
      detail: `${readable} readable (${store.name})`,
    },
    ...bad.map(({ id, unreadable }) => ({
      name: "sessions",
      status: "fail",
      detail: `${id}: ${unreadable}`,
    } as const)),
  ];
}

// A process that was killed while it wrote leaves one; the next write sweeps it.
async function checkLeftovers(project: string): Promise<Check[]> {
  const folder = join(project, ".mm", "sessions");
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (name.startsWith(".") && name.endsWith(".tmp")) names.push(name);
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  if (names.length === 0) return [];
  const detail =
    `${names.length} left over by an interrupted write, removed by a later one: ${
      names.slice(0, 3).join(", ")
    }`;
  return [{ name: "temp files", status: "warn", detail }];
}
