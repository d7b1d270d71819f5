import type { Command } from "../command.ts";
import { compact } from "./compact.ts";
import { errors } from "./errors.ts";
import { exportCommand } from "./export.ts";
import { help } from "./help.ts";
import { model } from "./model.ts";
import { newCommand } from "./new.ts";
import { quit } from "./quit.ts";
import { rename } from "./rename.ts";
import { resume } from "./resume.ts";
import { retry } from "./retry.ts";
import { sessions } from "./sessions.ts";
import { tools } from "./tools.ts";

/** The commands every agent has, in the order they are listed. */
export const builtinCommands: readonly Command[] = [
  help,
  newCommand,
  sessions,
  resume,
  compact,
  errors,
  retry,
  rename,
  exportCommand,
  model,
  tools,
  quit,
];
