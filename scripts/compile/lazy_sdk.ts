import { prebundle } from "./prebundle.ts";

/** The SDK of the Agent Client Protocol. */
export const SDK = "@agentclientprotocol/sdk";

/**
 * Bundles the SDK into a file in `dir`, its schemas made when they are first
 * used, and returns the file's path. As they are generated, every start of
 * `mm acp` would make all 200 of them before `initialize` is answered.
 */
export async function lazySdk(dir: string): Promise<string> {
  const file = await prebundle(dir, SDK, "--external=zod/v4");
  const code = await Deno.readTextFile(file);
  const lazy = code.replace(SCHEMA, "var $1 = lazily(() => $2);\n");
  const lazily = JSON.stringify(import.meta.resolve("./lazily.ts"));
  await Deno.writeTextFile(file, `import { lazily } from ${lazily};\n${lazy}`);
  return file;
}

// A statement that begins a line and ends where the next one does.
const SCHEMA = /^var (z[A-Z]\w*) = ([^]*?);\n(?![ \t])/gm;
