import type { ScreenHost } from "../core/facade.ts";
import type { FacadePlugin } from "../core/plugin.ts";

/** The ways in that are built in, each imported when it is used. */
export const facades: Readonly<Record<string, () => Promise<FacadePlugin>>> = {
  terminal: async () => (await import("./terminal/plugin.ts")).plugin,
  acp: async () => (await import("./acp/plugin.ts")).plugin,
  remote: async () => (await import("./remote/plugin.ts")).plugin,
};

/** Adds mm to the settings of an editor; imported when it is used. */
export const editorInstaller = async () =>
  (await import("./acp/install/install.ts")).installEditor;

/** Shows conversations on this terminal, wherever they live; resolves to the exit code. */
export const terminalScreen = async () => {
  const [{ runTerminal }, { processEdges }] = await Promise.all([
    import("./terminal/run.ts"),
    import("./terminal/edges.ts"),
  ]);
  return (host: ScreenHost) => runTerminal(host, processEdges());
};

/** Reads the note that `mm serve` left in a project; imported when it is used. */
export const serverNote = async () =>
  (await import("./remote/server/read_note.ts")).readNote;

/** Attaches to a server of `mm serve`; imported when it is used. */
export const remoteClient = async () =>
  (await import("./remote/attach/attach_to_server.ts")).attachToServer;
