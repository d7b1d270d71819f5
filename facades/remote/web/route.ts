/// <reference lib="dom" />

/** The session that the address names: `#/s/ID`. */
export function routeSession(hash = location.hash): string | undefined {
  return /^#\/s\/(\d{8}-\d{6}-[0-9a-f]{8})$/.exec(hash)?.[1];
}

/** A link to a session. */
export function sessionLink(session: string): string {
  return `#/s/${session}`;
}

/** Makes the address name the session, without another entry in the history. */
export function nameSession(session: string): void {
  if (routeSession() === session) return;
  history.replaceState(null, "", location.pathname + sessionLink(session));
}
