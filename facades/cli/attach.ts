import { statSync } from "node:fs";
import { remoteClient, terminalScreen } from "../table.ts";
import { readCert } from "./attach_cert.ts";
import { isAddress, ownServer, serverPlace } from "./attach_place.ts";
import { mayColor } from "./color.ts";
import { comeBack } from "./come_back.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { resumed } from "./named.ts";
import { enter, findPlace } from "./place.ts";
import { Stop } from "./stop.ts";
import { UsageError } from "./usage_error.ts";

/** What stands behind `mm attach`; the address may be left out. */
export interface AttachTo {
  readonly url: string | undefined;
  readonly session: string | undefined;
}

/** The flags of `mm attach`. */
export interface AttachFlags {
  readonly token?: string | undefined;
  readonly cert?: string | undefined;
  readonly json?: true | undefined;
}

/** Shows a server's conversation on this terminal. Resolves to the exit code. */
export async function attach(
  to: AttachTo,
  { token, cert, json }: AttachFlags,
  flags: Flags,
): Promise<number> {
  refuseModel(flags);
  const loading = Promise.all([remoteClient(), terminalScreen()]);
  const { address, ref } = read(to, flags.session);
  const here = enter(flags.cwd);
  const { project } = await findPlace(here);
  const given = cert === undefined ? undefined : await readCert(cert);
  let place = await serverPlace(address, token, project);
  const [open, show] = await loading;
  const agent = await open({
    url: place.url,
    token: place.token,
    cert: () => given ?? place.cert,
    ...(address === undefined && {
      async moved() {
        return place = await ownServer(project) ?? place;
      },
    }),
    // A person sees that it is gone; a script would wait for ever.
    patience: Deno.stdin.isTerminal() ? undefined : PATIENCE_MS,
    cwd: (there) => isFolder(there) ? there : here,
  });
  try {
    using stop = new Stop();
    const session = await resumed(agent, ref);
    const code = await stop.orEnd(show({
      agent,
      ...(session && { session }),
      output: json ? "json" : "text",
      signal: stop.signal,
      color: mayColor(Deno.stdout),
      quiet: flags.quiet ?? false,
      notices: [`Attached to ${place.url}`],
      comeBack: comeBack(
        flags,
        address === undefined ? "attach" : `attach ${place.url}`,
      ),
    }));
    return stop.code ?? code ?? EXIT.failed;
  } finally {
    agent.close();
  }
}

const PATIENCE_MS = 60_000;

function read(
  { url, session }: AttachTo,
  flag: string | undefined,
): { readonly address: string | undefined; readonly ref: string | undefined } {
  if (url === undefined || isAddress(url)) {
    return { address: url, ref: session ?? flag };
  }
  if (session === undefined) return { address: undefined, ref: url };
  throw new UsageError(
    `Cannot use the address "${url}": it looks like http://127.0.0.1:7345/#token=…`,
  );
}

// They would be taken for granted, and are the server's to decide.
function refuseModel({ model, baseUrl, approve, config }: Flags): void {
  const given = { model, "base-url": baseUrl, approve, config };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    throw new UsageError(
      `Cannot use --${name} with mm attach: give it to mm serve`,
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
