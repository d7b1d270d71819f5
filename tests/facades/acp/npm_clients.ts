import { join } from "node:path";

/** Clients from npm, of other hands than ours. */
export interface NpmClients {
  readonly node: string;
  readonly acpx: string;
  /** The SDK of before, whose client had another shape. */
  readonly oldSdk: string;
}

const FOLDER = join(import.meta.dirname!, "../../../.cache/acp");

const PACKAGES = ["acpx@0.19.1", "node@22", "@agentclientprotocol/sdk@0.18.2"];

/** Installs them once, under .cache; the reason when they cannot be had. */
export async function npmClients(): Promise<NpmClients | string> {
  const modules = join(FOLDER, "node_modules");
  const clients = {
    node: join(modules, "node/bin/node"),
    acpx: join(modules, "acpx/dist/cli.js"),
    oldSdk: join(modules, "@agentclientprotocol/sdk/dist/acp.js"),
  };
  if (await areThere(clients)) return clients;
  await Deno.mkdir(FOLDER, { recursive: true });
  await Deno.writeTextFile(join(FOLDER, "package.json"), "{}");
  try {
    const { success, stderr } = await new Deno.Command("npm", {
      args: ["install", "--no-audit", "--no-fund", ...PACKAGES],
      cwd: FOLDER,
    }).output();
    if (success && await areThere(clients)) return clients;
    const [line = ""] = new TextDecoder().decode(stderr).split("\n");
    return `npm could not install ${PACKAGES.join(", ")}: ${line}`;
  } catch (error) {
    return `npm cannot be run: ${(error as Error).message}`;
  }
}

async function areThere(clients: NpmClients): Promise<boolean> {
  const found = await Promise.all(
    Object.values(clients).map((path) =>
      Deno.stat(path).then(() => true, () => false)
    ),
  );
  return found.every(Boolean);
}
