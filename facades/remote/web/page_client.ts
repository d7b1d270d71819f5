/// <reference lib="dom" />
import { soon } from "../../../core/soon.ts";
import { RemoteClient } from "../client/client.ts";
import type { Change, Copy } from "../client/mirror.ts";
import type { Sent } from "../client/pending_list.ts";
import { keepOutgoing, readOutgoing } from "./kept_outgoing.ts";
import { dropCopy, keepCopy, readCopy } from "./local_copy.ts";
import { keepToken } from "./token.ts";

/** How long a copy may be out of date, in milliseconds. */
const COPY_AFTER = 1000;
/** How long the page waits for the browser's own store before it goes on without, in milliseconds. */
const PATIENCE = 1500;

/** The client of a page. */
export interface PageClient {
  readonly client: RemoteClient;
  /** Leaves the server, and keeps nothing more in this browser. */
  leave(): void;
}

/**
 * The client of this page: begun with what the browser keeps, and kept there as
 * it changes. What cannot be kept is no reason to stop.
 */
export async function openClient(
  token: string,
  session: string | undefined,
  happened: (change: Change) => void,
): Promise<PageClient> {
  const [copy, pending] = await Promise.all([
    session === undefined ? undefined : orNothing(readCopy(session)),
    orNothing(readOutgoing()),
  ]);
  const client = new RemoteClient({
    url: location.origin.replace(/^http/, "ws") + "/ws",
    token,
    happened,
    ...(copy && { copy }),
    ...(pending && { pending }),
  });
  if (session === undefined) client.create().catch(toldByView);
  else if (!copy) show(client, session).catch(toldByView);
  const stop = keepUp(client, pending ?? []);
  for (const event of ["online", "pageshow"]) {
    addEventListener(event, () => client.wake());
  }
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") client.wake();
  });
  return {
    client,
    leave() {
      stop();
      client.close();
    },
  };
}

/** Shows a session. Rejects when the server has none of that name. */
export function show(client: RemoteClient, session: string): Promise<unknown> {
  // It was begun here, and its first question may not have reached the server.
  const begun = client.pending.some((sent) =>
    sent.session === session && sent.refused === undefined
  );
  return begun ? client.create(session) : client.attach(session);
}

// The view stays empty, and the page says so.
function toldByView(): void {}

// Returns how to stop it.
function keepUp(client: RemoteClient, pending: readonly Sent[]): () => void {
  let kept = pending;
  let copied: Copy["state"] | undefined;
  let told: string | undefined; // the token, to who came by a ticket
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copy = () => {
    clearTimeout(timer);
    timer = undefined;
    const now = client.copy;
    if (now && client.view?.gone) {
      return void dropCopy(now.session).catch(unkept);
    }
    if (!now || now.state === copied || now.state.seq === 0) return;
    copied = now.state;
    keepCopy(now).catch(unkept);
  };
  const unsubscribe = client.subscribe(() => {
    const { token } = client.hello ?? {};
    if (token !== undefined && token !== told) keepToken(told = token);
    if (client.pending !== kept) {
      keepOutgoing(kept, client.pending).catch(unkept);
      kept = client.pending;
    }
    timer ??= setTimeout(copy, COPY_AFTER);
  });
  addEventListener("pagehide", copy);
  return () => {
    unsubscribe();
    clearTimeout(timer);
    removeEventListener("pagehide", copy);
  };
}

function unkept(error: unknown): void {
  console.info("Not kept in this browser:", error);
}

async function orNothing<T>(promise: Promise<T>): Promise<T | undefined> {
  const found = await soon(promise.catch(() => undefined), PATIENCE);
  return found === "late" ? undefined : found;
}
