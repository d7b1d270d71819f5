import { errorLine, UserError } from "../../core/error.ts";
import { clean } from "./clean.ts";
import { painter } from "./color.ts";
import { type Check, checkModel, checkTrust, checkVersion } from "./checks.ts";
import { checkPlugins } from "./check_plugins.ts";
import { checkSessions } from "./check_sessions.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { print, printJson } from "./output.ts";
import { prepare, type Prepared } from "./prepare.ts";

/** What `mm doctor` may be asked for. */
export interface DoctorOptions {
  readonly json?: boolean | undefined;
  /** Mend what a store can mend. */
  readonly repair?: boolean | undefined;
}

/** `mm doctor`: what is well and what is not; fails when something is wrong. */
export async function doctor(
  { json = false, repair = false }: DoctorOptions,
  flags: Flags,
): Promise<number> {
  const checks: Check[] = [checkVersion()];
  const prepared = await tryPrepare(flags);
  if ("detail" in prepared) checks.push(prepared);
  else checks.push(...await checkAll(prepared, repair));
  const ok = checks.every((c) => c.status !== "fail");
  if (json) await printJson({ ok, checks });
  else await print(checks.map(line).join(""));
  return ok ? EXIT.ok : EXIT.failed;
}

async function tryPrepare(flags: Flags): Promise<Prepared | Check> {
  try {
    return await prepare(flags);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { name: "configuration", status: "fail", detail: errorLine(error) };
  }
}

async function checkAll(
  prepared: Prepared,
  repair: boolean,
): Promise<Check[]> {
  const { place, loaded, parts, notices } = prepared;
  const [model, plugins, sessions] = await Promise.all([
    checkModel(parts),
    checkPlugins(parts),
    checkSessions(parts, repair),
  ]);
  return [
    {
      name: "configuration",
      status: "ok",
      detail: loaded.file ??
        "none: every key has its default (mm init writes one)",
    },
    { name: "project", status: "ok", detail: place.project },
    ...notices.map((detail) =>
      ({ name: "notice", status: "warn", detail }) as const
    ),
    ...checkTrust(loaded),
    ...model,
    ...plugins,
    ...sessions,
  ];
}

function line({ name, status, detail }: Check): string {
  const paint = painter();
  const mark = {
    ok: paint("green", "ok  "),
    warn: paint("yellow", "warn"),
    fail: paint("red", "FAIL"),
  }[status];
  return `${mark}  ${name.padEnd(13)}  ${clean(detail)}\n`;
}
