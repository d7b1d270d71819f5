import { strictObject } from "zod/mini";
import { defineFacade, type FacadePlugin } from "../../core/plugin.ts";
import { processEdges } from "./edges.ts";
import { runTerminal } from "./run.ts";

/** The terminal: a conversation on a TTY, plain lines or JSON elsewhere. */
export const plugin: FacadePlugin = defineFacade({
  name: "terminal",
  options: strictObject({}),
  run: (_options, host) => runTerminal(host, processEdges()),
});
