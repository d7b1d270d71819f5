/// <reference lib="dom" />

/** Lets the page open without a network. Where there is no such thing it opens with one. */
export function installWorker(): void {
  // Only where the page came over TLS, or from this machine.
  navigator.serviceWorker?.register(workerUrl() as string).catch((error) => {
    console.info("No service worker:", error);
  });
}

// Where the policy of the page asks for it, a script's address must be of a trusted type.
function workerUrl(): unknown {
  const path = "/sw.js";
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes?.createPolicy("mm", { createScriptURL: () => path })
    .createScriptURL("") ?? path;
}

interface Factory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): unknown };
}
